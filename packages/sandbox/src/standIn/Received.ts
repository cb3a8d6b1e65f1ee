/** The requests that came since a stand-in began, the first one first. */
export class Received<Request> {
  private requests: Array<Request> = []

  add(request: Request): void {
    this.requests.push(request)
  }

  all(): ReadonlyArray<Request> {
    return this.requests
  }

  forget(): void {
    this.requests = []
  }
}
