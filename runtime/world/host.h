/* host -- what the library asks of the operating system: C functions that its units name with
 * #PRAGMA EXTERNAL (stdlib/host_calls.inc).
 *
 * Owns:   files by descriptor, folders, streams of the C library, the program's arguments and
 *         environment, other programs, the date, numbers out of text.
 * Leaves: keyboard, screen and error as channels to io.h.
 * Holds:  texts come with their size and need no zero byte at the end. A function that can fail
 *         returns a negated errno. Nothing here keeps state: descriptors, streams and folders are
 *         numbers that the caller holds. The conventions are those of decision 0011. */
#ifndef RT_HOST_H
#define RT_HOST_H

#include <stdbool.h>
#include <stdint.h>

/* ---- files by descriptor ---- */

/* how: the bits of HOST_OPEN_...; the new descriptor. */
enum {
    HOST_OPEN_READ = 1,
    HOST_OPEN_WRITE = 2,
    HOST_OPEN_CREATE = 4,
    HOST_OPEN_TRUNCATE = 8,
    HOST_OPEN_APPEND = 16,
    HOST_OPEN_NEW = 32,      /* with CREATE: an error if it exists */
    HOST_OPEN_FOLDER = 64,   /* an error if it is no folder */
    HOST_OPEN_NO_WAIT = 128, /* neither this nor what follows blocks */
    HOST_OPEN_SYNC = 256,    /* writes return when they are on the disk */
    HOST_OPEN_NO_CONTROL = 512
};
void occ_host_open(const uint8_t *name, int32_t size, int32_t how, int32_t permissions,
                   int32_t *result);
int32_t occ_host_close(int32_t file);
/* The number of bytes; 0 at the end of the file. */
void occ_host_read(int32_t file, uint8_t *bytes, int32_t size, int32_t *result);
/* Write all of them; fewer if the file is non-blocking and full. */
void occ_host_write(int32_t file, const uint8_t *bytes, int32_t size, int32_t *result);
/* Create or replace the file with these bytes; 0: done. */
void occ_host_write_all(const uint8_t *name, int32_t size, const uint8_t *bytes, int32_t count,
                        int32_t *result);
/* whence: 0 from the beginning, 1 from here, 2 from the end. Returns the new position. */
int64_t occ_host_seek(int32_t file, int64_t offset, int32_t whence);
int32_t occ_host_duplicate(int32_t file);
int32_t occ_host_duplicate_to(int32_t file, int32_t other);
void occ_host_pipe(int32_t *input, int32_t *output, int32_t *result);
/* Wait until everything written is on the disk. */
void occ_host_sync(int32_t file, int32_t *result);
/* fcntl, with an argument or 0. */
int32_t occ_host_control(int32_t file, int32_t command, int32_t argument);
/* Copy between files as sendfile does, from *offset on, which moves past what was sent. */
void occ_host_send_file(int32_t from, int32_t to, int32_t count, int32_t *offset, int32_t *result);
/* Wait until one of these descriptors can be read, written, or has something exceptional; returns
 * how many. Entries that are not ready become -1, as do those above `highest`. Below 0
 * microseconds: for ever. The array has a word for each descriptor. */
void occ_host_select(int32_t *readers, int32_t reader_count, int32_t *writers, int32_t writer_count,
                     int32_t *others, int32_t other_count, int64_t *room, int32_t room_count,
                     int32_t highest, int32_t microseconds, int32_t *result);
int32_t occ_host_truncate(int32_t file, int64_t length);
/* 1: a read would not wait. */
void occ_host_is_readable(int32_t file, int32_t milliseconds, int32_t *result);
bool occ_host_is_terminal(int32_t file);

/* ---- names of files ---- */

enum { HOST_STATUS_FIELDS = 13 };
/* device, inode, mode, links, user, group, device of a special file, size, block size, blocks,
 * seconds since 1970 of the last access, change of contents, change of status. */
void occ_host_status(const uint8_t *name, int32_t size, bool follows_links, int64_t *fields,
                     int32_t count, int32_t *result);
void occ_host_status_of(int32_t file, int64_t *fields, int32_t count, int32_t *result);
/* how: 4 may read, 2 may write, 1 may execute, 0 is there. */
void occ_host_access(const uint8_t *name, int32_t size, int32_t how, int32_t *result);
void occ_host_remove(const uint8_t *name, int32_t size, int32_t *result);
void occ_host_rename(const uint8_t *old, int32_t old_size, const uint8_t *name, int32_t size,
                     int32_t *result);
void occ_host_change_mode(const uint8_t *name, int32_t size, int32_t permissions, int32_t *result);
void occ_host_make_folder(const uint8_t *name, int32_t size, int32_t permissions, int32_t *result);
void occ_host_remove_folder(const uint8_t *name, int32_t size, int32_t *result);
int32_t occ_host_change_folder(const uint8_t *name, int32_t size);
/* Its length, at most as much as there is room for. */
void occ_host_current_folder(uint8_t *name, int32_t size, int32_t *length);
/* A folder that is being read; 0 with *error set when it cannot be. */
void occ_host_folder_open(const uint8_t *name, int32_t size, int64_t *folder, int32_t *error);
/* The next name in a folder that is open as a file, with a zero byte: 1; 0: there are no more. */
void occ_host_folder_entry(int32_t folder, uint8_t *name, int32_t size, int32_t *result);
/* Many at once, without `.` and `..`: of each a letter (d folder, f regular file, l link, o other),
 * the name, a zero byte; *length is 0 at the end. */
void occ_host_folder_names(int64_t folder, uint8_t *bytes, int32_t size, int32_t *length);
void occ_host_folder_close(int64_t folder);

/* ---- what the system has in memory (host_now.c) ---- */

/* These never wait: the result is HOST_NOT_NOW if the system does not know yet, or on an error;
 * then call the function of the same name above. */
enum { HOST_NOT_NOW = INT32_MIN };

/* To be read: a plain file or a folder. */
void occ_host_open_now(const uint8_t *name, int32_t size, int32_t *result);
/* *done: how many bytes have been read already, also if the result is HOST_NOT_NOW. */
void occ_host_read_now(int32_t file, uint8_t *bytes, int32_t size, int32_t *done, int32_t *result);
void occ_host_status_now(const uint8_t *name, int32_t size, bool follows_links, int64_t *fields,
                         int32_t count, int32_t *result);

/* ---- streams of the C library ---- */

/* mode: 1 input, 2 output, 3 append, 4 update, 5 new update, 6 append update; 0 with *error. */
void occ_host_stream_open(const uint8_t *name, int32_t size, bool is_binary, int32_t mode,
                          int64_t *stream, int32_t *error);
/* A file of its own under a new name; *length of it. */
void occ_host_stream_temporary(uint8_t *name, int32_t size, int32_t *length, int64_t *stream,
                               int32_t *error);
int32_t occ_host_stream_close(int64_t stream);
void occ_host_stream_read(int64_t stream, uint8_t *bytes, int32_t size, int32_t *length);
void occ_host_stream_write(int64_t stream, const uint8_t *bytes, int32_t size, int32_t *length);
/* Read a line without its end: its length, or -1 at the end of the stream. *is_whole: it fitted. */
void occ_host_stream_line(int64_t stream, uint8_t *bytes, int32_t size, int32_t *length,
                          bool *is_whole);
int32_t occ_host_stream_flush(int64_t stream);
int32_t occ_host_stream_seek(int64_t stream, int64_t offset, int32_t whence);
int64_t occ_host_stream_tell(int64_t stream);
bool occ_host_stream_is_at_end(int64_t stream);
bool occ_host_stream_has_failed(int64_t stream);

/* ---- the program and its surroundings ---- */

int32_t occ_host_argument_count(void);
/* The length of argument n, -1 when there is none; as much of it as there is room for. */
void occ_host_argument(int32_t n, uint8_t *text, int32_t size, int32_t *length);
/* The same for a variable of the environment. */
void occ_host_variable(const uint8_t *name, int32_t name_size, uint8_t *value, int32_t size,
                       int32_t *length);
int32_t occ_host_set_variable(const uint8_t *name, int32_t name_size, const uint8_t *value,
                              int32_t size);
int32_t occ_host_process_number(void);
/* Write all output so far and end the program. */
void occ_host_exit(int32_t status);
/* Run by the shell: its exit status, -1 when it could not be run. */
void occ_host_system(const uint8_t *command, int32_t size, int32_t *status);
/* Seconds since 1970; local time. */
int64_t occ_host_time(void);
int64_t occ_host_local_time(void);
/* The text of an errno; returns its length. */
void occ_host_error_text(int32_t error, uint8_t *text, int32_t size, int32_t *length);

/* ---- numbers ---- */

/* The nearest real to a decimal number; the text has been checked. */
float occ_host_real32(const uint8_t *text, int32_t size);
double occ_host_real64(const uint8_t *text, int32_t size);

#endif
