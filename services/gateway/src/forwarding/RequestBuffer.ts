import type { RequestLogBatch, RequestLogOutcome } from "@care/domain/auth"
import type { OrganizationId } from "@care/domain/ids"
import { FairShare } from "@care/service-kit"

const batchSize = 1000

type LoggedRequest = RequestLogBatch["requests"][number]

/** The first requests of each organization that are sent together, and what was dropped meanwhile. */
export interface BufferedBatch extends RequestLogBatch {
  readonly counts: ReadonlyMap<OrganizationId, number>
}

/** Requests that wait until they are stored. No organization can take all of its room. */
export class RequestBuffer {
  private readonly share: FairShare
  private readonly waiting = new Map<OrganizationId, Array<LoggedRequest>>()
  private readonly dropped = new Map<OrganizationId, Date>()
  private readonly fullUntil = new Map<OrganizationId, number>()

  constructor(capacity: number) {
    this.share = new FairShare({ capacity })
  }

  /** Returns whether an organization has its share of the day of a time (milliseconds since 1970), so that no more is stored. */
  isFull(organizationId: OrganizationId, at: number): boolean {
    const until = this.fullUntil.get(organizationId)
    if (until === undefined) return false
    if (at < until) return true
    this.fullUntil.delete(organizationId)
    return false
  }

  /** Adds a request. Returns false if it is dropped, because its organization has its share of the room. */
  add(request: LoggedRequest): boolean {
    const { organizationId } = request
    if (!this.share.take(organizationId)) {
      this.dropped.set(organizationId, request.at)
      return false
    }
    const requests = this.waiting.get(organizationId)
    if (requests === undefined) this.waiting.set(organizationId, [request])
    else requests.push(request)
    return true
  }

  /** Returns the oldest requests, of each organization about as many. Undefined if there is nothing to send. */
  peek(): BufferedBatch | undefined {
    if (this.waiting.size === 0 && this.dropped.size === 0) return undefined
    const each = Math.max(1, Math.floor(batchSize / this.waiting.size))
    const first = [...this.waiting].slice(0, batchSize).map(([id, requests]) => [id, requests.slice(0, each)] as const)
    return {
      requests: first.flatMap(([, requests]) => requests),
      dropped: Array.from(this.dropped, ([organizationId, at]) => ({ organizationId, at })),
      counts: new Map(first.map(([organizationId, { length }]) => [organizationId, length]))
    }
  }

  /** Removes what was stored: a batch without the requests of organizations that have to wait. */
  remove({ counts, dropped }: BufferedBatch, { full, waiting }: RequestLogOutcome): void {
    const kept = new Set(waiting)
    for (const { organizationId, until } of full) this.fullUntil.set(organizationId, until.getTime())
    for (const { at, organizationId } of dropped) {
      if (this.dropped.get(organizationId) === at && !kept.has(organizationId)) this.dropped.delete(organizationId)
    }
    for (const [organizationId, count] of counts) {
      const requests = this.waiting.get(organizationId)
      if (requests === undefined) continue
      // Those that wait come last in the next batch.
      this.waiting.delete(organizationId)
      if (!kept.has(organizationId)) {
        requests.splice(0, count)
        this.share.give(organizationId, count)
      }
      if (requests.length > 0) this.waiting.set(organizationId, requests)
    }
  }
}
