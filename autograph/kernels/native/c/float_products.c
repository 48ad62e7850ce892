/* Products of matrices of float. */

#include "products.h"

#define TYPE float
#define LETTER s
#include "product.h"
