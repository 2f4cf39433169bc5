/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * A C program on top of the Rust implementation without std. vectors.h holds
 * the recorded pairs.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

int32_t nostd_pair(uint64_t src, uint64_t dst, uint64_t size, uint32_t rx_ring_id,
                   uint32_t tx_ring_id, int32_t mode, bool dst_int, uint8_t *tx, uint8_t *rx);
int32_t nostd_queue_init(uint32_t qid, uint32_t size);
uint32_t nostd_explained(void);

static const struct {
    uint64_t src, dst, size;
    uint32_t rx_ring_id, tx_ring_id;
    int32_t mode;
    bool dst_int;
    int32_t ret;
    uint8_t tx[16], rx[16];
} vectors[] = {
#include "vectors.h"
};

int main(void)
{
    const unsigned count = sizeof(vectors) / sizeof(vectors[0]);
    unsigned wrong = 0;

    for (unsigned i = 0; i < count; i++) {
        uint8_t tx[16], rx[16];
        int32_t ret;

        memset(tx, 0xaa, sizeof tx);
        memset(rx, 0xaa, sizeof rx);
        ret = nostd_pair(vectors[i].src, vectors[i].dst, vectors[i].size,
                         vectors[i].rx_ring_id, vectors[i].tx_ring_id, vectors[i].mode,
                         vectors[i].dst_int, tx, rx);
        if (ret != vectors[i].ret || memcmp(tx, vectors[i].tx, 16) || memcmp(rx, vectors[i].rx, 16)) {
            fprintf(stderr, "vector %u: code %d\n", i, ret);
            wrong++;
        }
    }
    /* QINI-5: eight writes for TX, seven for RX. QINI-3: no queue 16. */
    if (nostd_queue_init(0, 64) != 15 || nostd_queue_init(16, 64) != -22)
        wrong++;
    if (nostd_explained() < 10)
        wrong++;
    printf("%u vectors, %u wrong\n", count, wrong);
    return count == 0 || wrong != 0;
}
