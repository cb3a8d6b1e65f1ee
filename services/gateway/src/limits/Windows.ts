/** What a caller has used of a limit. */
export interface Window {
  /** Requests since the window began. */
  used: number
  /** In milliseconds since 1970. */
  endsAt: number
}

/**
 * The windows of callers under one rule. A window begins with a request and ends after a fixed time. It keeps at most
 * as many windows as callers came within two window lengths.
 */
export class Windows {
  // In the order in which they began.
  readonly #open = new Map<string, Window>()
  readonly #millis: number

  constructor(millis: number) {
    this.#millis = millis
  }

  get size(): number {
    return this.#open.size
  }

  /** Returns the caller's window at a time, and begins one when there is none. */
  at(caller: string, now: number): Window {
    const existing = this.#open.get(caller)
    if (existing !== undefined && this.#isOpen(existing, now)) return existing
    this.#dropEnded(now)
    const window = { used: 0, endsAt: now + this.#millis }
    this.#open.delete(caller)
    this.#open.set(caller, window)
    return window
  }

  /** Returns how much a caller has used of its window at a time, and begins none. */
  usedAt(caller: string, now: number): number {
    const existing = this.#open.get(caller)
    return existing !== undefined && this.#isOpen(existing, now) ? existing.used : 0
  }

  // A window that ends later than a new one would was begun before the clock was set back.
  #isOpen({ endsAt }: Window, now: number): boolean {
    return now < endsAt && endsAt <= now + this.#millis
  }

  #dropEnded(now: number): void {
    for (const [caller, window] of this.#open) {
      if (this.#isOpen(window, now)) return
      this.#open.delete(caller)
    }
  }
}
