import type { FairShare } from "@care/service-kit"

/**
 * The received bytes of a body, in one buffer: a body in tiny pieces takes no more memory than its bytes (twice that
 * while it grows). Its memory counts for its caller.
 */
export class ReceivedBytes {
  length = 0
  private buffer: Buffer = Buffer.alloc(0)
  private readonly memory: FairShare
  private readonly holder: string

  constructor(memory: FairShare, holder: string) {
    this.memory = memory
    this.holder = holder
  }

  /** Adds a piece, or returns false when there is no memory for it. */
  add(chunk: Buffer): boolean {
    const needed = this.length + chunk.length
    if (this.length === 0) {
      // Most bodies are one piece, which is not copied.
      if (!this.memory.take(this.holder, chunk.length)) return false
      this.buffer = chunk
    } else {
      if (needed > this.buffer.length && !this.grow(Math.max(needed, this.buffer.length * 2))) return false
      chunk.copy(this.buffer, this.length)
    }
    this.length = needed
    return true
  }

  get bytes(): Buffer {
    return this.buffer.subarray(0, this.length)
  }

  release(): void {
    this.memory.give(this.holder, this.buffer.length)
    this.buffer = Buffer.alloc(0)
    this.length = 0
  }

  private grow(size: number): boolean {
    if (!this.memory.take(this.holder, size - this.buffer.length)) return false
    const larger = Buffer.allocUnsafeSlow(size)
    this.buffer.copy(larger, 0, 0, this.length)
    this.buffer = larger
    return true
  }
}
