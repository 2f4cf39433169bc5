/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef KSHIM_LINUX_ERRNO_H
#define KSHIM_LINUX_ERRNO_H

#define ENOENT 2
#define ENOMEM 12
#define EFAULT 14
#define EBUSY 16
#define EINVAL 22
#define ETIMEDOUT 110

#endif
