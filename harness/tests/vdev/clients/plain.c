/* One process, one thread: stat, open, memory, a copy on a queue, refusals. */
#include "neuron.h"

int main(void) {
    struct stat known;
    CHECK(stat("/dev/neuron0", &known) == 0 && S_ISCHR(known.st_mode));
    CHECK(access("/dev/neuron0", R_OK | W_OK) == 0);
    CHECK(stat("/dev/neuron9", &known) == -1 && errno == ENOENT);
    CHECK(open("/dev/neuron9", O_RDWR) == -1 && errno == ENOENT);
    int fd = open("/dev/neuron0", O_RDWR | O_CLOEXEC);
    CHECK(fd >= 0 && fstat(fd, &known) == 0 && S_ISCHR(known.st_mode));
    uint32_t arch[2] = {0, 0};
    CHECK(ioctl(fd, DEVICE_BASIC_INFO, arch) == 0 && arch[0] >= 2 && arch[0] <= 4);

    static unsigned char out[70000], in[70000];
    for (size_t at = 0; at < sizeof out; at++)
        out[at] = (unsigned char)(at * 131 + 7);
    uint64_t src = allocate(fd, sizeof out, 0), dst = allocate(fd, sizeof out, 0);
    move(fd, src, out, sizeof out, 1);
    copy_on_queue(fd, 3, 2, info(fd, src).pa, info(fd, dst).pa, 65536);
    move(fd, dst, in, sizeof in, 0);
    CHECK(memcmp(in, out, 65536) == 0);
    for (size_t at = 65536; at < sizeof in; at++)
        CHECK(in[at] == 0);

    /* Refusals, as the driver gives them. */
    CHECK(ioctl(fd, 0x80104e23u, arch) == -1 && errno == ENOTTY);
    CHECK(ioctl(fd, 0x5401u, arch) == -1 && errno == ENOTTY);
    struct copy_start nothing = {3, 2, 1, 0};
    CHECK(ioctl(fd, DMA_QUEUE_COPY_START, &nothing) == -1 && errno == EPERM);
    CHECK(ioctl(fd, DMA_QUEUE_COPY_START, (void *)8) == 16);
    struct mem_info unknown = {.mem_handle = 12345};
    CHECK(ioctl(fd, MEM_GET_EXTENDED_INFO, &unknown) == EINVAL);
    struct mem_info place = info(fd, src);
    CHECK(mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, (off_t)place.mmap_offset) == MAP_FAILED);
    CHECK(errno == EINVAL);
    unsigned char *whole =
        mmap(NULL, place.size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)place.mmap_offset);
    CHECK(whole != MAP_FAILED && memcmp(whole, out, sizeof out) == 0);
    puts("plain: ok");
    return 0;
}
