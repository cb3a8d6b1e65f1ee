import type { MinuteOfTraffic } from "@care/domain/gateway"

const minuteMillis = 60_000
const minutes = 60

// The ends of the ranges of times, in milliseconds. The last range has none.
const ends = [1, 2, 3, 5, 8, 13, 20, 35, 60, 100, 200, 400, 1000, 3000, 10_000]

class Minute {
  number = -1
  requests = 0
  private failed = 0
  private slowestMs = 0
  private readonly ranges = Array.from({ length: ends.length + 1 }, () => 0)

  restart(number: number) {
    this.number = number
    this.requests = 0
    this.failed = 0
    this.slowestMs = 0
    this.ranges.fill(0)
  }

  add(millis: number, isFailed: boolean) {
    let range = 0
    while (millis >= (ends[range] ?? Number.POSITIVE_INFINITY)) range += 1
    this.ranges[range] = (this.ranges[range] ?? 0) + 1
    this.requests += 1
    if (isFailed) this.failed += 1
    if (millis > this.slowestMs) this.slowestMs = millis
  }

  summary(): MinuteOfTraffic {
    return {
      minute: new Date(this.number * minuteMillis),
      requests: this.requests,
      failed: this.failed,
      medianMs: Math.round(this.medianMs()),
      slowestMs: Math.round(this.slowestMs)
    }
  }

  // The times of a range count as evenly spread.
  private medianMs() {
    let before = 0
    for (const [range, count] of this.ranges.entries()) {
      const share = (this.requests / 2 - before) / count
      if (share <= 1) {
        const start = ends[range - 1] ?? 0
        const end = Math.min(ends[range] ?? this.slowestMs, this.slowestMs)
        return start + (end - start) * share
      }
      before += count
    }
    return this.slowestMs
  }
}

/** Counts of requests and their times by minute, for the last hour. Adding one takes the same work for each, and allocates nothing. */
export class MinuteCounts {
  private readonly ring = Array.from({ length: minutes }, () => new Minute())

  /** Counts a request that was answered, or failed, at a time (milliseconds since 1970) after some milliseconds. */
  add(at: number, millis: number, isFailed: boolean) {
    const number = Math.floor(at / minuteMillis)
    const minute = this.ring[number % minutes]
    if (minute === undefined) return
    if (minute.number !== number) minute.restart(number)
    minute.add(millis, isFailed)
  }

  /** Returns the minutes with requests of the hour before a time, oldest first. */
  lastHour(now: number): ReadonlyArray<MinuteOfTraffic> {
    const current = Math.floor(now / minuteMillis)
    return this.ring
      .filter(({ number, requests }) => number > current - minutes && number <= current && requests > 0)
      .toSorted((a, b) => a.number - b.number)
      .map((minute) => minute.summary())
  }
}
