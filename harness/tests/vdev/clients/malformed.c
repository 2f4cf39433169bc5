/* Random arguments for every request: none brings the supervisor down, and each is answered. */
#include "neuron.h"

static uint64_t state;

static uint64_t next(void) {
    state += 0x9e3779b97f4a7c15u;
    uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static const uint32_t requests[] = {
    0x80084e03, 0x80084e04, 0x80084e0b, 0x40084e0c, 0x80084e15, 0x80084e66, 0x80304e66, 0x80384e66,
    0x80084e16, 0x80084e17, 0x80284e17, 0xc0084e18, 0xc0284e18, 0x80084e19, 0x80084e1a, 0x80084e1c,
    0x80204e1c, 0x80084e1d, 0x80084e1e, 0x80084e1f, 0xc0084e20, 0x80084e21, 0xb0084e85, 0x80084e22,
    0x80084e23, 0x80084e24, 0xc0084e25, 0x80084e26, 0x80284e26, 0xc0084e27, 0x40084e64, 0xc0304e6c,
    0xc0384e6c, 0x40184e6d, 0x80184e6e, 0x40184e6e, 0xc0084e2b, 0x80084eff,
};

int main(int argc, char **argv) {
    long calls = argc > 1 ? atol(argv[1]) : 20000;
    state = argc > 2 ? (uint64_t)atol(argv[2]) : 1;
    int fd = open("/dev/neuron0", O_RDWR);
    CHECK(fd >= 0);
    /* The last bytes before a page that is not there. */
    unsigned char *pages =
        mmap(NULL, 16384, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(pages != MAP_FAILED && munmap(pages + 12288, 4096) == 0);
    long answered = 0;
    for (long call = 0; call < calls; call++) {
        uint64_t *words = (uint64_t *)pages;
        for (int at = 0; at < 12; at++)
            switch (next() % 5) {
            case 0: words[at] = next(); break;
            case 1: words[at] = (next() % 60) << 8 | 0x5a; break;
            case 2: words[at] = (uint64_t)(uintptr_t)pages + next() % 12288; break;
            case 3: words[at] = UINT64_C(1) << next() % 64; break;
            default: words[at] = next() % 200; break;
            }
        void *argument = pages;
        if (next() % 16 == 0)
            argument = pages + 12288 - next() % 64;
        else if (next() % 64 == 0)
            argument = (void *)(uintptr_t)next();
        uint32_t request = requests[next() % (sizeof requests / sizeof *requests)];
        int code = ioctl(fd, request, argument);
        CHECK(code >= -1 && !(code == -1 && (errno == ENOSYS || errno == EIO || errno == ESRCH)));
        answered++;
        if (call % 5000 == 4999) {
            close(fd);
            fd = open("/dev/neuron0", O_RDWR);
            CHECK(fd >= 0);
        }
    }
    printf("malformed: %ld answered\n", answered);
    return 0;
}
