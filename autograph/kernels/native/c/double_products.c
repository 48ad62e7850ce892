/* Products of matrices of double. */

#include "products.h"

#define TYPE double
#define LETTER d
#include "product.h"
