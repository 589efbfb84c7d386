/* io_test -- what the test and its processes share. */
#ifndef IO_TEST_H
#define IO_TEST_H

#include "layout.h"

enum { LONG_OUTPUT = 300000 };

#ifndef TEST_INLINED_H /* bodies, for world_run: see WORLD_BODY */
void bytes_body(void);
void order_body(void);
void long_output_body(void);
void hello_then_stop_body(void);
void hello_then_deadlock_body(void);
void hello_then_spin_body(void);
void hello_then_crash_body(void);
void hello_then_sleep_body(void);
void echo_body(void);
void slow_reader_body(void);
void slow_typist_body(void);
void busy_typist_body(void);
void alt_typist_body(void);
#endif

#endif
