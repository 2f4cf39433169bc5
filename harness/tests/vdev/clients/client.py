"""A client in Python, against the ioctl numbers alone."""
import ctypes
import errno
import fcntl
import mmap
import os
import stat
import struct

assert stat.S_ISCHR(os.stat("/dev/neuron1").st_mode)
assert os.access("/dev/neuron1", os.R_OK | os.W_OK)
assert not os.path.exists("/dev/neuron2")
fd = os.open("/dev/neuron1", os.O_RDWR)
assert stat.S_ISCHR(os.fstat(fd).st_mode)


def call(request, argument):
    return fcntl.ioctl(fd, request, argument)


def allocate(size, host):
    handle = ctypes.c_uint64()
    place = ctypes.addressof(handle)
    argument = bytearray(struct.pack("=QQIIIIIxxxxQIxxxx", size, 0, host, 0, 0, 0, 0, place, 0))
    assert len(argument) == 56
    assert call(0x80384E66, argument) == 0
    return handle.value


def info(handle):
    argument = bytearray(struct.pack("=QIIQQQQ", handle, 0, 0, 0, 0, 0, 0))
    assert call(0x80084E1D, argument) == 0
    _, _, host, offset, pa, pid, size = struct.unpack("=QIIQQQQ", argument)
    assert pid == os.getpid()
    return host, offset, pa, size


def move(handle, buffer, size, offset, to_device):
    argument = bytearray(struct.pack("=QQQQIxxxx", handle, ctypes.addressof(buffer), size, offset, to_device))
    return call(0xC0284E18, argument)


data = ctypes.create_string_buffer(bytes(i * 7 & 255 for i in range(5000)), 5000)
device, host = allocate(5000, 0), allocate(5000, 1)
assert move(device, data, 5000, 0, 1) == 0
copy = bytearray(struct.pack("=QQQQQ", device, host, 4000, 1000, 8))
assert call(0x80284E17, copy) == 0
is_host, offset, pa, size = info(host)
assert is_host == 1 and size == 8192 and offset == pa
with mmap.mmap(fd, size, mmap.MAP_SHARED, mmap.PROT_READ | mmap.PROT_WRITE, offset=offset) as view:
    assert view[8:4008] == data.raw[1000:5000]
    view[0:4] = b"abcd"
back = ctypes.create_string_buffer(16)
assert move(host, back, 4, 0, 0) == 0
assert back.raw[:4] == b"abcd"
for request, argument, code in [
    (0x80084EFF, bytearray(8), errno.ENOTTY),
    (0x80084E16, bytearray(struct.pack("=Q", 99)), errno.EINVAL),
    (0x80284E17, bytearray(struct.pack("=QQQQQ", device, host, 9000, 0, 0)), errno.EINVAL),
]:
    try:
        call(request, argument)
    except OSError as error:
        assert error.errno == code, (hex(request), error)
    else:
        raise AssertionError(hex(request))
assert open("/sys/module/neuron/version").read().strip() == "2.26.5.0"
os.close(fd)
print("python: ok")
