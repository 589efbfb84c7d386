/* nbody: the twin of nbody.occ. */
#include "bench.h"

#include <math.h>

enum { STEPS = 5000000, BODIES = 5 };
static const double solar_mass = 4.0 * 3.141592653589793 * 3.141592653589793;
static const double days = 365.24;

typedef struct Body {
    double x, y, z, vx, vy, vz, mass;
} Body;

static Body bodies[BODIES] = {
    {0, 0, 0, 0, 0, 0, 1},
    {4.84143144246472090, -1.16032004402742839, -0.103622044471123109, 0.00166007664274403694,
     0.00769901118419740425, -0.0000690460016972063023, 0.000954791938424326609},
    {8.34336671824457987, 4.12479856412430479, -0.403523417114321381, -0.00276742510726411131,
     0.00499852801234917238, 0.0000230417297573763929, 0.000285885980666130812},
    {12.8943695621391310, -15.1111514016986312, -0.223307578892655734, 0.00296460137564761618,
     0.00237847173959480950, -0.0000296589568540237556, 0.0000436624404335156298},
    {15.3796971148509165, -25.9193146099879641, 0.179258772950371181, 0.00268067772490389322,
     0.00162824170038242295, -0.0000951592254519715870, 0.0000515138902046611451},
};

static void initialise(Body *b) {
    double px = 0.0, py = 0.0, pz = 0.0;
    for (int i = 0; i < BODIES; i++) {
        b[i].vx *= days;
        b[i].vy *= days;
        b[i].vz *= days;
        b[i].mass *= solar_mass;
        px += b[i].vx * b[i].mass;
        py += b[i].vy * b[i].mass;
        pz += b[i].vz * b[i].mass;
    }
    b[0].vx = -px / solar_mass;
    b[0].vy = -py / solar_mass;
    b[0].vz = -pz / solar_mass;
}

static void advance(Body *b, double dt) {
    for (int i = 0; i < BODIES; i++) {
        for (int j = i + 1; j < BODIES; j++) {
            Body *p = &b[i], *q = &b[j];
            double dx = p->x - q->x, dy = p->y - q->y, dz = p->z - q->z;
            double square = dx * dx + dy * dy + dz * dz;
            double mag = dt / (square * sqrt(square));
            double mi = p->mass * mag, mj = q->mass * mag;
            p->vx -= dx * mj;
            p->vy -= dy * mj;
            p->vz -= dz * mj;
            q->vx += dx * mi;
            q->vy += dy * mi;
            q->vz += dz * mi;
        }
    }
    for (int i = 0; i < BODIES; i++) {
        b[i].x += dt * b[i].vx;
        b[i].y += dt * b[i].vy;
        b[i].z += dt * b[i].vz;
    }
}

static double energy(const Body *b) {
    double e = 0.0;
    for (int i = 0; i < BODIES; i++) {
        const Body *p = &b[i];
        e += 0.5 * p->mass * (p->vx * p->vx + p->vy * p->vy + p->vz * p->vz);
        for (int j = i + 1; j < BODIES; j++) {
            double dx = p->x - b[j].x, dy = p->y - b[j].y, dz = p->z - b[j].z;
            e -= p->mass * b[j].mass / sqrt(dx * dx + dy * dy + dz * dz);
        }
    }
    return e;
}

int main(void) {
    initialise(bodies);
    long began = now_us();
    for (int i = 0; i < STEPS; i++) {
        advance(bodies, 0.01);
    }
    long took = now_us() - began;
    printf("CHECK %.9f\n", energy(bodies));
    result("nbody", took, 1);
    return 0;
}
