/* The product of matrices of one dtype, for a file that includes this: TYPE is the type of elements,
 * LETTER the one for it in the names of BLAS. With SMALL all products are so small that no thread is
 * worth it: the code for threads is not there. */

#define NAMED(before, after) JOINED(before, LETTER, after)
#ifdef SMALL
#define NAME ag_small_
#else
#define NAME ag_
#endif
#define Product NAMED(Product_, )
#define multiply NAMED(multiply_, )

/* Functions of the library, with integers of 64 or of 32 bits. There are either. */
void NAMED(library_, gemm)(int32_t, int32_t, int32_t, int64_t, int64_t, int64_t, TYPE, const TYPE *,
                           int64_t, const TYPE *, int64_t, TYPE, TYPE *, int64_t);
void NAMED(narrow_, gemm)(int32_t, int32_t, int32_t, int32_t, int32_t, int32_t, TYPE, const TYPE *,
                          int32_t, const TYPE *, int32_t, TYPE, TYPE *, int32_t);
void NAMED(library_, gemv)(int32_t, int32_t, int64_t, int64_t, TYPE, const TYPE *, int64_t,
                           const TYPE *, int64_t, TYPE, TYPE *, int64_t);
void NAMED(narrow_, gemv)(int32_t, int32_t, int32_t, int32_t, TYPE, const TYPE *, int32_t,
                          const TYPE *, int32_t, TYPE, TYPE *, int32_t);

void NAMED(library_, syrk)(int32_t, int32_t, int32_t, int64_t, int64_t, TYPE, const TYPE *, int64_t,
                           TYPE, TYPE *, int64_t);
void NAMED(narrow_, syrk)(int32_t, int32_t, int32_t, int32_t, int32_t, TYPE, const TYPE *, int32_t,
                          TYPE, TYPE *, int32_t);

/* c = alpha op(a) op(b) + beta c, for matrices row by row. Strides are from row to row. */
typedef struct {
    int32_t a_transposed, b_transposed; /* PLAIN or TRANSPOSED */
    int64_t rows, columns, inner;
    TYPE alpha;
    const TYPE *a;
    int64_t a_stride;
    const TYPE *b;
    int64_t b_stride;
    TYPE beta;
    TYPE *c;
    int64_t c_stride;
    int64_t parts; /* of rows */
} Product;

static void multiply(const Product *p)
{
    if (ag_library_bits == 64)
        NAMED(library_, gemm)(ROW_MAJOR, p->a_transposed, p->b_transposed, p->rows, p->columns,
                              p->inner, p->alpha, p->a, p->a_stride, p->b, p->b_stride, p->beta,
                              p->c, p->c_stride);
    else
        NAMED(narrow_, gemm)(ROW_MAJOR, p->a_transposed, p->b_transposed, (int32_t)p->rows,
                             (int32_t)p->columns, (int32_t)p->inner, p->alpha, p->a,
                             (int32_t)p->a_stride, p->b, (int32_t)p->b_stride, p->beta, p->c,
                             (int32_t)p->c_stride);
}

/* y = alpha op(matrix) x + beta y, for a matrix as it is stored. */
static void NAMED(multiply_vector_, )(int32_t transposed, int64_t rows, int64_t columns,
                                      TYPE alpha, const TYPE *matrix, int64_t stride, const TYPE *x,
                                      int64_t x_step, TYPE beta, TYPE *y, int64_t y_step)
{
    if (ag_library_bits == 64)
        NAMED(library_, gemv)(ROW_MAJOR, transposed, rows, columns, alpha, matrix, stride, x,
                              x_step, beta, y, y_step);
    else
        NAMED(narrow_, gemv)(ROW_MAJOR, transposed, (int32_t)rows, (int32_t)columns, alpha, matrix,
                             (int32_t)stride, x, (int32_t)x_step, beta, y, (int32_t)y_step);
}

/* c = op(a) transpose(op(a)), of which the library computes the upper triangle, as NumPy has it. */
static void NAMED(multiply_itself_, )(int32_t transposed, int64_t rows, int64_t inner,
                                      const TYPE *a, int64_t stride, TYPE *c, int64_t c_stride)
{
    if (ag_library_bits == 64)
        NAMED(library_, syrk)(ROW_MAJOR, UPPER, transposed, rows, inner, 1, a, stride, 0, c,
                              c_stride);
    else
        NAMED(narrow_, syrk)(ROW_MAJOR, UPPER, transposed, (int32_t)rows, (int32_t)inner, 1, a,
                             (int32_t)stride, 0, c, (int32_t)c_stride);
    for (int64_t first = 0; first < rows; first += BLOCK) /* in blocks that stay in the cache */
        for (int64_t i = 0; i < rows; i++)
            for (int64_t j = larger(first, i + 1); j < smaller(first + BLOCK, rows); j++)
                c[j * c_stride + i] = c[i * c_stride + j];
}

#ifndef SMALL

/* The body of a loop over parts of rows of a product. */
static int32_t NAMED(rows_, )(void *product, int64_t first, int64_t last)
{
    Product part = *(const Product *)product;
    int64_t begin = first_row(first, part.parts, part.rows);
    int64_t end = first_row(last, part.parts, part.rows);
    part.a += begin * (part.a_transposed == PLAIN ? part.a_stride : 1);
    part.c += begin * part.c_stride;
    part.rows = end - begin;
    multiply(&part);
    return 0;
}

/* The same over columns. */
static int32_t NAMED(columns_, )(void *product, int64_t begin, int64_t end)
{
    Product part = *(const Product *)product;
    part.b += begin * (part.b_transposed == PLAIN ? 1 : part.b_stride);
    part.c += begin;
    part.columns = end - begin;
    multiply(&part);
    return 0;
}

/* A product on several threads, by rows or by columns. */
static void NAMED(share_, )(Product *p, int64_t each_row, int64_t each_column)
{
    bool flat = p->rows < 96 && p->columns > p->rows;
    ag_enter_products();
    if (p->columns > 4 * p->rows || flat) {
        int64_t columns = columns_of_a_part(p->columns, each_column);
        ag_parallel(NAMED(columns_, ), p, p->columns, columns);
    } else {
        p->parts = parts_of_rows(p->rows, each_row);
        ag_parallel(NAMED(rows_, ), p, p->parts, 1);
    }
    ag_leave_products();
}

#endif

/* As in CBLAS, for matrices row by row. */
void NAMED(NAME, gemm)(int32_t order, int32_t a_transposed, int32_t b_transposed, int64_t rows,
                      int64_t columns, int64_t inner, TYPE alpha, const TYPE *a, int64_t a_stride,
                      const TYPE *b, int64_t b_stride, TYPE beta, TYPE *c, int64_t c_stride)
{
    (void)order;
    bool a_plain = a_transposed == PLAIN, b_plain = b_transposed == PLAIN;
    if (columns == 1) { /* c = op(a) b */
        NAMED(multiply_vector_, )(a_transposed, a_plain ? rows : inner, a_plain ? inner : rows,
                                  alpha, a, a_stride, b, b_plain ? b_stride : 1, beta, c, c_stride);
        return;
    }
    if (rows == 1) { /* c = transpose(op(b)) a */
        NAMED(multiply_vector_, )(b_plain ? TRANSPOSED : PLAIN, b_plain ? inner : columns,
                                  b_plain ? columns : inner, alpha, b, b_stride, a,
                                  a_plain ? 1 : a_stride, beta, c, 1);
        return;
    }
    bool itself = a == b && a_plain != b_plain && rows == columns && a_stride == b_stride;
    if (itself && alpha == 1 && beta == 0) {
        NAMED(multiply_itself_, )(a_transposed, rows, inner, a, a_stride, c, c_stride);
        return;
    }
    Product product = {
        .a_transposed = a_transposed, .b_transposed = b_transposed,
        .rows = rows, .columns = columns, .inner = inner,
        .alpha = alpha, .a = a, .a_stride = a_stride, .b = b, .b_stride = b_stride,
        .beta = beta, .c = c, .c_stride = c_stride,
    };
#ifndef SMALL
    int64_t each_row = larger(columns, 1) * larger(inner, 1);
    int64_t each_column = larger(rows, 1) * larger(inner, 1);
    /* less than what a library gives to threads; see `_SMALL` of `autograph.kernels.llvm.each` */
    bool large = larger(rows, 1) * each_row > 200000;
    if (large && threads_of_library()) {
        NAMED(share_, )(&product, each_row, each_column);
        return;
    }
#endif
    multiply(&product);
}
