/* Static, threaded, forking: two threads on queues of their own; a child that inherits the open
 * file; an open file that is passed through a socket and outlives its opener's descriptor. */
#include "neuron.h"
#include <pthread.h>
#include <sys/socket.h>
#include <sys/wait.h>

static int fd;

static void *work(void *argument) {
    uint32_t queue = (uint32_t)(uintptr_t)argument;
    static unsigned char zero[4096];
    for (int round = 0; round < 5; round++) {
        unsigned char out[4096], in[4096];
        memset(out, (int)(queue * 16 + (uint32_t)round), sizeof out);
        uint64_t src = allocate(fd, sizeof out, 1), dst = allocate(fd, sizeof out, 0);
        move(fd, src, out, sizeof out, 1);
        move(fd, dst, zero, sizeof zero, 1);
        copy_on_queue(fd, 5, queue, info(fd, src).pa, info(fd, dst).pa, sizeof out);
        move(fd, dst, in, sizeof in, 0);
        CHECK(memcmp(in, out, sizeof in) == 0);
    }
    return NULL;
}

static void send_fd(int socket, int descriptor) {
    char byte = 0, room[CMSG_SPACE(sizeof(int))] = {0};
    struct iovec data = {&byte, 1};
    struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof room};
    struct cmsghdr *first = CMSG_FIRSTHDR(&message);
    first->cmsg_level = SOL_SOCKET;
    first->cmsg_type = SCM_RIGHTS;
    first->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(first), &descriptor, sizeof descriptor);
    CHECK(sendmsg(socket, &message, 0) == 1);
}

static int receive_fd(int socket) {
    char byte, room[CMSG_SPACE(sizeof(int))];
    struct iovec data = {&byte, 1};
    struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof room};
    CHECK(recvmsg(socket, &message, 0) == 1);
    int descriptor;
    memcpy(&descriptor, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof descriptor);
    return descriptor;
}

/* Whether an allocation is known, asked through a file of its own. */
static int is_known(uint64_t handle) {
    int other = open("/dev/neuron0", O_RDWR | O_CLOEXEC);
    CHECK(other >= 0);
    struct mem_info arg = {.mem_handle = handle};
    int code = ioctl(other, MEM_GET_EXTENDED_INFO, &arg);
    close(other);
    return code == 0;
}

int main(void) {
    fd = open("/dev/neuron0", O_RDWR);
    CHECK(fd >= 0);
    pthread_t threads[2];
    for (uintptr_t at = 0; at < 2; at++)
        CHECK(pthread_create(&threads[at], NULL, work, (void *)(at + 1)) == 0);
    for (int at = 0; at < 2; at++)
        CHECK(pthread_join(threads[at], NULL) == 0);

    uint64_t handle = allocate(fd, 4096, 1);
    pid_t child = fork();
    if (child == 0) {
        /* DEV-7: another process that never opened the device. The 64-bit forms are not listed. */
        struct { uint64_t handle; } arg = {handle};
        CHECK(ioctl(fd, MEM_FREE, &arg) == -1 && errno == EACCES);
        struct mem_copy copy = {handle, handle, 64, 0, 64};
        CHECK(ioctl(fd, MEM_COPY64, &copy) == 0);
        CHECK(is_known(handle));
        _exit(0);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    /* The child's own file is gone, its inherited one too; ours is not. */
    CHECK(info(fd, handle).size == 4096);

    /* Opened by a process that passes it on and ends: the session lives with the descriptor. */
    int pair[2], report[2];
    CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0 && pipe(report) == 0);
    child = fork();
    if (child == 0) {
        close(fd);
        int own = open("/dev/neuron0", O_RDWR);
        CHECK(own >= 0);
        uint64_t mine = allocate(own, 4096, 0);
        CHECK(write(report[1], &mine, sizeof mine) == sizeof mine);
        send_fd(pair[0], own);
        close(own);
        _exit(0);
    }
    uint64_t theirs;
    CHECK(read(report[0], &theirs, sizeof theirs) == sizeof theirs);
    int passed = receive_fd(pair[1]);
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    CHECK(is_known(theirs));
    int copy = dup(passed);
    close(passed);
    CHECK(is_known(theirs));
    close(copy);
    CHECK(!is_known(theirs));
    close(fd);
    CHECK(!is_known(handle));
    puts("forking: ok");
    return 0;
}
