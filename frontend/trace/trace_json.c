/* trace_json -- a trace as Chrome's and Perfetto's trace events: a track for each process, a slice
 * for each stretch in which it ran or waited, an arrow for each message, an instant for each phase
 * of a clock. See trace.h. */
#include "trace.h"

#include <inttypes.h>

static void put_text(FILE *out, const char *text) {
    putc('"', out);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') {
            fprintf(out, "\\%c", *text);
        } else if ((unsigned char)*text < ' ') {
            fprintf(out, "\\u%04x", (unsigned char)*text);
        } else {
            putc(*text, out);
        }
    }
    putc('"', out);
}

static void put_name(FILE *out, Arena *arena, const TraceProcess *process) {
    fprintf(out, "{\"ph\":\"M\",\"pid\":1,\"tid\":%" PRIu32 ",\"name\":\"thread_name\",\"args\":{",
            process->number + 1);
    fputs("\"name\":", out);
    put_text(out, trace_process_name(arena, process));
    fputs("}},\n", out);
}

static void put_span(FILE *out, Arena *arena, const TraceSpan *span) {
    fprintf(out, "{\"ph\":\"X\",\"pid\":1,\"tid\":%" PRIu32 ",\"ts\":%.3f,\"dur\":%.3f,\"name\":",
            span->process->number + 1, span->from_us, span->to_us - span->from_us);
    put_text(out, span->waits ? trace_wait_text(arena, span->waits) : "runs");
    fprintf(out, ",\"cat\":\"%s\",\"args\":{", span->waits ? "wait" : "run");
    if (!span->waits) {
        fprintf(out, "\"worker\":%u", span->worker);
    } else if (span->waker) {
        fputs("\"for\":", out);
        put_text(out, trace_process_name(arena, span->waker));
    }
    fputs("}},\n", out);
}

static void put_flow(FILE *out, const char *phase, const TraceProcess *process, double at_us,
                     size_t id) {
    fprintf(out,
            "{\"ph\":\"%s\",\"pid\":1,\"tid\":%" PRIu32
            ",\"ts\":%.3f,\"id\":%zu,\"name\":\"message\",\"cat\":\"message\"%s},\n",
            phase, process->number + 1, at_us, id, *phase == 'f' ? ",\"bp\":\"e\"" : "");
}

static void put_message(FILE *out, const TraceMessage *message, size_t id) {
    if (message->from && message->to) {
        put_flow(out, "s", message->from, message->at_us, id);
        put_flow(out, "f", message->to, message->at_us, id);
    }
}

static void put_phase(FILE *out, const TracePhase *phase) {
    fprintf(out,
            "{\"ph\":\"i\",\"pid\":1,\"tid\":%" PRIu32
            ",\"ts\":%.3f,\"s\":\"p\",\"cat\":\"clock\",\"name\":\"phase %" PRIu64 " ends\"},\n",
            phase->by ? phase->by->number + 1 : 0, phase->at_us, phase->phase);
}

void trace_json(FILE *out, const Trace *trace) {
    fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n", out);
    for (size_t i = 0; i < trace->processes.count; i++) {
        put_name(out, trace->arena, trace->processes.items[i]);
    }
    for (size_t i = 0; i < trace->spans.count; i++) {
        put_span(out, trace->arena, &trace->spans.items[i]);
    }
    for (size_t i = 0; i < trace->messages.count; i++) {
        put_message(out, &trace->messages.items[i], i);
    }
    for (size_t i = 0; i < trace->phases.count; i++) {
        put_phase(out, &trace->phases.items[i]);
    }
    fputs("{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\",\"args\":{\"name\":\"occam\"}}\n]}\n",
          out);
}
