/* port -- what PLACE does, and PORTs. See port.c. */
#ifndef OCCC_PORT_H
#define OCCC_PORT_H

#include "emit.h"

void emit_declare_port(Emitter *emitter, Symbol *symbol);
void emit_place_specification(Emitter *emitter, Node *place);
void emit_port_output(Emitter *emitter, Node *output);
void emit_port_input(Emitter *emitter, Node *input);

#endif
