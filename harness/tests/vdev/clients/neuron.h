/* The calls of /dev/neuronN that the test clients make, by number and layout alone. */
#ifndef NEURON_H
#define NEURON_H

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEVICE_BASIC_INFO 0x40084e64u
#define MEM_ALLOC_V2MT64 0x80384e66u
#define MEM_FREE 0x80084e16u
#define MEM_BUF_COPY64 0xc0284e18u
#define MEM_COPY64 0x80284e17u
#define MEM_GET_EXTENDED_INFO 0x80084e1du
#define DMA_QUEUE_INIT 0x80084e21u
#define DMA_QUEUE_COPY_START 0x80084e23u
#define DMA_ACK_COMPLETED 0x80084e24u
#define DMA_COPY_DESCRIPTORS64 0x80284e26u

#define MARKER 0xabcdef01u

struct mem_alloc {
    uint64_t size, align;
    uint32_t host_memory, dram_channel, dram_region, nc_id, mem_type;
    uint64_t *mem_handle;
    uint32_t pad;
};
struct mem_buf_copy {
    uint64_t mem_handle;
    void *buffer;
    uint64_t size, offset;
    uint32_t copy_to_mem_handle;
};
struct mem_copy {
    uint64_t src, dst, size, src_offset, dst_offset;
};
struct mem_info {
    uint64_t mem_handle;
    uint32_t version, host_memory;
    uint64_t mmap_offset, pa, pid, size;
};
struct queue_init {
    uint32_t eng_id, qid, tx_desc_count, rx_desc_count;
    uint64_t tx_handle, rx_handle, rxc_handle;
    uint32_t axi_port;
};
struct copy_start {
    uint32_t eng_id, qid, tx_desc_count, rx_desc_count;
};
struct ack {
    uint32_t eng_id, qid, count;
};
struct copy_descriptors {
    uint64_t mem_handle;
    void *buffer;
    uint32_t num_descs;
    uint64_t offset;
    uint32_t queue_type;
};
struct desc {
    uint32_t word0, word1;
    uint64_t pointer;
};

#define CHECK(what)                                                                                \
    do {                                                                                           \
        if (!(what)) {                                                                             \
            fprintf(stderr, "%s:%d: %s (errno %d)\n", __FILE__, __LINE__, #what, errno);           \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

static inline uint64_t allocate(int fd, uint64_t size, int host) {
    uint64_t handle = 0;
    struct mem_alloc arg = {.size = size, .host_memory = host, .mem_handle = &handle};
    CHECK(ioctl(fd, MEM_ALLOC_V2MT64, &arg) == 0);
    return handle;
}

static inline struct mem_info info(int fd, uint64_t handle) {
    struct mem_info arg = {.mem_handle = handle};
    CHECK(ioctl(fd, MEM_GET_EXTENDED_INFO, &arg) == 0);
    return arg;
}

static inline void move(int fd, uint64_t handle, void *bytes, uint64_t size, int to_device) {
    struct mem_buf_copy arg = {handle, bytes, size, 0, to_device};
    CHECK(ioctl(fd, MEM_BUF_COPY64, &arg) == 0);
}

/* One copy and its marker on a queue of its own, whose words are polled in mapped memory. */
static inline void copy_on_queue(int fd, uint32_t engine, uint32_t queue, uint64_t src,
                                 uint64_t dst, uint32_t size) {
    uint64_t tx = allocate(fd, 4096, 1), rx = allocate(fd, 4096, 1), done = allocate(fd, 4096, 1);
    struct mem_info place = info(fd, done);
    volatile uint32_t *words =
        mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)place.mmap_offset);
    CHECK(words != MAP_FAILED);
    words[0] = MARKER;
    words[1] = 0;
    struct queue_init init = {engine, queue, 64, 64, tx, rx, 0, 0};
    CHECK(ioctl(fd, DMA_QUEUE_INIT, &init) == 0);
    /* FIRST, LAST, phase 1; a write barrier on the data. */
    struct desc left[2] = {{0x0d000000u | (size & 0xffff), 0x05080003u, src},
                           {0x0d000004u, 0x01080003u, place.pa}};
    struct desc right[2] = {{0x01000000u | (size & 0xffff), 0, dst},
                            {0x01000004u, 0, place.pa + 4}};
    struct copy_descriptors to_tx = {tx, left, 2, 0, 0}, to_rx = {rx, right, 2, 0, 1};
    CHECK(ioctl(fd, DMA_COPY_DESCRIPTORS64, &to_tx) == 0);
    CHECK(ioctl(fd, DMA_COPY_DESCRIPTORS64, &to_rx) == 0);
    struct copy_start start = {engine, queue, 2, 2};
    CHECK(ioctl(fd, DMA_QUEUE_COPY_START, &start) == 0);
    /* However long it takes; but a device that no longer answers will not write it. */
    while (words[1] != MARKER) {
        uint32_t arch[2];
        CHECK(ioctl(fd, DEVICE_BASIC_INFO, arch) == 0);
        usleep(100);
    }
    struct ack ack = {engine, queue, 2};
    CHECK(ioctl(fd, DMA_ACK_COMPLETED, &ack) == 0);
    munmap((void *)words, 4096);
}

#endif
