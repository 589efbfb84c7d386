"""A discrete-event model of a halo exchange on many ranks, from costs that are measured on two.

    model.py --cell-ns 1.2 --message-us 7 --mega-us 300 [--measured-ms 31]

Each rank owns some rows of the torus of life.occ; in a generation it sends its two edges, computes, and may begin the next
when both edges of the neighbours have come. A message takes `message` and `mega` for each 1 MB; computing is scattered
by 5 % with a seed. --measured-ms: of a generation of life.occ on two ranks, for the error of the model."""

import argparse
import heapq
import random
import sys

SIZE = 4096
GENERATIONS = 50
SCATTER = 0.05


class Costs:
    def __init__(self, arguments):
        self.cell_ns = arguments.cell_ns
        self.message_ns = arguments.message_us * 1000
        self.byte_ns = arguments.mega_us * 1000 / 2**20


def generation_ns(costs, ranks, rows, width, seed=1):
    """Of the whole job, by events: (time, rank) when a rank has computed, or an edge has come."""
    chance = random.Random(seed)
    edge_ns = costs.message_ns + width * costs.byte_ns
    work_ns = rows * width * costs.cell_ns
    done = [0] * ranks  # generations that it has computed
    edges = [{} for _ in range(ranks)]  # generation -> edges that have come
    computes = [False] * ranks
    events = []

    def send(now, rank):
        for other in ((rank - 1) % ranks, (rank + 1) % ranks):
            heapq.heappush(events, (now + edge_ns, other, "edge", done[rank]))

    def begin(now, rank):
        ready = not computes[rank] and done[rank] < GENERATIONS and edges[rank].get(done[rank], 0) == 2
        if ready:
            computes[rank] = True
            took = work_ns * (1 + SCATTER * (chance.random() - 0.5))
            heapq.heappush(events, (now + took, rank, "computed", 0))

    for rank in range(ranks):
        send(0, rank)
    now = 0
    while events:
        now, rank, what, generation = heapq.heappop(events)
        if what == "edge":
            edges[rank][generation] = edges[rank].get(generation, 0) + 1
        else:
            edges[rank].pop(done[rank])
            done[rank] += 1
            computes[rank] = False
            if done[rank] < GENERATIONS:
                send(now, rank)
        begin(now, rank)
    return now / GENERATIONS


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cell-ns", type=float, required=True)
    parser.add_argument("--message-us", type=float, required=True)
    parser.add_argument("--mega-us", type=float, required=True)
    parser.add_argument("--measured-ms", type=float)
    arguments = parser.parse_args()
    costs = Costs(arguments)
    two_ms = generation_ns(costs, 2, SIZE // 2, SIZE) / 1e6
    if arguments.measured_ms:
        error = 100 * (two_ms / arguments.measured_ms - 1)
        print(f"2 ranks: {two_ms:.2f} ms a generation, measured {arguments.measured_ms:.2f} ms: {error:+.0f} %\n")
    print("| ranks | the same torus, 4096 x 4096 | of one rank | 512 rows for each rank | of one rank |\n|---|---|---|---|---|")
    alone_ns = SIZE * SIZE * costs.cell_ns
    share_ns = 512 * SIZE * costs.cell_ns
    for ranks in (2, 8, 64, 256, 1024, 4096):
        strong = generation_ns(costs, ranks, SIZE // ranks, SIZE)
        weak = generation_ns(costs, ranks, 512, SIZE)
        print(f"| {ranks} | {strong / 1e3:.0f} us | {alone_ns / strong:.0f} x | {weak / 1e3:.0f} us | {ranks * share_ns / weak:.0f} x |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
