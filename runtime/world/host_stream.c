/* host_stream -- streams of the C library, for the library. See host.h. */
#define _GNU_SOURCE
#include "host.h"

#include "host_name.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

static FILE *stream_of(int64_t stream) {
    return (FILE *)(intptr_t)stream;
}

static int64_t stream_number(FILE *stream, int32_t *error) {
    *error = stream == NULL ? errno : 0;
    return (int64_t)(intptr_t)stream;
}

void occ_host_stream_open(const uint8_t *name, int32_t size, bool is_binary, int32_t mode,
                          int64_t *stream, int32_t *error) {
    static const char *const modes[][2] = {{"re", "rbe"},   {"we", "wbe"},   {"ae", "abe"},
                                           {"r+e", "r+be"}, {"w+e", "w+be"}, {"a+e", "a+be"}};
    HostName file;
    *error = EINVAL;
    if (mode < 1 || mode > 6 || !host_name_set(&file, name, size) || file.text[0] == '\0') {
        *stream = 0;
        return;
    }
    *stream = stream_number(fopen(file.text, modes[mode - 1][is_binary]), error);
}

void occ_host_stream_temporary(uint8_t *name, int32_t size, int32_t *length, int64_t *stream,
                               int32_t *error) {
    char path[] = "/tmp/occXXXXXX";
    *length = 0;
    int file = mkostemp(path, O_CLOEXEC);
    if (file < 0) {
        *error = errno;
        *stream = 0;
        return;
    }
    *length = host_text_give(path, name, size);
    *stream = stream_number(fdopen(file, "w+b"), error);
}

int32_t occ_host_stream_close(int64_t stream) {
    return fclose(stream_of(stream)) == 0 ? 0 : -errno;
}

void occ_host_stream_read(int64_t stream, uint8_t *bytes, int32_t size, int32_t *length) {
    *length = (int32_t)fread(bytes, 1, (size_t)size, stream_of(stream));
}

void occ_host_stream_write(int64_t stream, const uint8_t *bytes, int32_t size, int32_t *length) {
    *length = (int32_t)fwrite(bytes, 1, (size_t)size, stream_of(stream));
}

void occ_host_stream_line(int64_t stream, uint8_t *bytes, int32_t size, int32_t *length,
                          bool *is_whole) {
    int32_t count = 0;
    int byte = getc(stream_of(stream));
    *is_whole = true;
    if (byte == EOF) {
        *length = -1;
        return;
    }
    while (byte != EOF && byte != '\n') {
        if (count == size) {
            *is_whole = false;
            ungetc(byte, stream_of(stream));
            *length = count;
            return;
        }
        bytes[count++] = (uint8_t)byte;
        byte = getc(stream_of(stream));
    }
    *length = count > 0 && bytes[count - 1] == '\r' ? count - 1 : count;
}

int32_t occ_host_stream_flush(int64_t stream) {
    return fflush(stream_of(stream)) == 0 ? 0 : -errno;
}

int32_t occ_host_stream_seek(int64_t stream, int64_t offset, int32_t whence) {
    return fseeko(stream_of(stream), offset, whence) == 0 ? 0 : -errno;
}

int64_t occ_host_stream_tell(int64_t stream) {
    return ftello(stream_of(stream));
}

bool occ_host_stream_is_at_end(int64_t stream) {
    return feof(stream_of(stream)) != 0;
}

bool occ_host_stream_has_failed(int64_t stream) {
    return ferror(stream_of(stream)) != 0;
}
