/* Memory for kernels and their results: see `memory.c`. */

#ifndef MEMORY_H
#define MEMORY_H

#include <stdint.h>

/* Memory of some bytes, at a multiple of 64, with any contents; null if there is none. */
void *ag_take(uint64_t bytes);

/* Give back what ag_take gave. Null is nothing. */
void ag_give(void *block, uint64_t bytes);

#endif
