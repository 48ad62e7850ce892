/* Small products of matrices of double, on the thread that asks. */

#include "products.h"

#define SMALL
#define TYPE double
#define LETTER d
#include "product.h"
