/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * min(), max() and clamp() whose arguments have to be of one type, as in
 * kernels before Linux 6.8. Late point releases of these kernels take a mixture
 * of types as well, so the sources that are compiled here would not show one.
 */
#ifndef LSMLAB_STRICT_H
#define LSMLAB_STRICT_H

#include <linux/minmax.h>

#undef min
#undef max
#undef clamp

#define lsmlab_strict(x, y, which) ({			\
	typeof(x) one_ = (x);				\
	typeof(y) other_ = (y);				\
	(void)(&one_ == &other_);			\
	one_ which other_ ? one_ : other_; })
#define min(x, y)		lsmlab_strict(x, y, <)
#define max(x, y)		lsmlab_strict(x, y, >)
#define clamp(value, low, high)	min((typeof(value))max(value, low), high)

#endif /* LSMLAB_STRICT_H */
