const most = 10_000

/** The newest 10,000 requests that came since a stand-in began, the first one first. */
export class Received<Request> {
  private requests: Array<Request> = []

  add(request: Request): void {
    this.requests.push(request)
    if (this.requests.length > most) this.requests.shift()
  }

  all(): ReadonlyArray<Request> {
    return this.requests
  }

  forget(): void {
    this.requests = []
  }
}
