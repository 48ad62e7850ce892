/* Small products of matrices of float, on the thread that asks. */

#include "products.h"

#define SMALL
#define TYPE float
#define LETTER s
#include "product.h"
