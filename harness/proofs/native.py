"""The library itself, called with the numbers of a path: what was worked out must be what it does."""

import ctypes
import os
import pickle
import signal

# Seconds that all calls of one round may take.
LIMIT = 20


def in_child(work):
    """What `work` returns, carried out in a process of its own; none if that died or hung."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        signal.alarm(LIMIT)
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        try:
            with os.fdopen(writer, "wb") as pipe:
                pickle.dump(work(), pipe)
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        answer = pipe.read()
    os.waitpid(child, 0)
    return pickle.loads(answer) if answer else None


def info(path, symbol, size):
    """The words of the structure that `info` fills; none where it cannot be asked."""
    def work():
        out = (ctypes.c_uint32 * (size // 4))()
        code = getattr(ctypes.CDLL(path), symbol)(ctypes.byref(out))
        return (code, list(out))

    return in_child(work)


def calls(path, symbol, arguments, inputs):
    """Return code, and each field of each buffer, of one call for each of `inputs`."""
    def work():
        function = getattr(ctypes.CDLL(path), symbol)
        function.restype = ctypes.c_uint32
        return [one(function, arguments, numbers) for numbers in inputs]

    return in_child(work)


def one(function, arguments, numbers):
    memory = {buffer.address: (ctypes.c_char * (buffer.size + 16))() for buffer in arguments.buffers}
    place = {at: -(-ctypes.addressof(held) // 16) * 16 for at, held in memory.items()}
    for buffer in arguments.buffers:
        for field in buffer.fields:
            number = numbers[field.name]
            if field.scalar.pointer:
                number = place[number]
            at = place[buffer.address] + field.address - buffer.address
            ctypes.memmove(at, number.to_bytes(field.scalar.size, "little"), field.scalar.size)
    scalars = iter(arguments.scalars)
    passed = []
    for kind in arguments.kinds:
        if kind is None:
            field = next(scalars)
            passed.append(ctypes.c_uint64(numbers[field.name]))
        else:
            passed.append(ctypes.c_void_p(place[kind.address]))
    code = function(*passed)
    back = {real: at for at, real in place.items()}
    after = []
    for buffer in arguments.buffers:
        for field in buffer.fields:
            at = place[buffer.address] + field.address - buffer.address
            number = int.from_bytes(ctypes.string_at(at, field.scalar.size), "little")
            after.append(back.get(number, number) if field.scalar.pointer else number)
    return code, after
