const windowMillis = 60_000

/** Limits the requests of a minute, which begins with its first request. */
export class RateLimit {
  private readonly limit: number
  private readonly now: () => number
  private began = Number.NEGATIVE_INFINITY
  private count = 0

  constructor(limit: number, now: () => number) {
    this.limit = limit
    this.now = now
  }

  /** Counts a request, and returns whether it is over the limit and the headers of its answer. */
  take() {
    if (this.now() >= this.began + windowMillis) {
      this.began = this.now()
      this.count = 0
    }
    this.count += 1
    return {
      isOver: this.count > this.limit,
      headers: {
        "x-ratelimit-limit": String(this.limit),
        "x-ratelimit-remaining": String(Math.max(this.limit - this.count, 0)),
        "x-ratelimit-reset": String(Math.ceil((this.began + windowMillis - this.now()) / 1000))
      }
    }
  }
}
