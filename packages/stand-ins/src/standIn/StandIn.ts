import { Effect, Schema } from "effect"
import { DeliveryMode, type EventDeliveries } from "./EventDeliveries.ts"
import {
  type Address,
  type Handler,
  type Head,
  type Incoming,
  type Reply,
  type StandInAnswer,
  serveStandIn
} from "./serveStandIn.ts"
import { Trouble, Troubles } from "./Troubles.ts"

const maxRequests = 10_000

const readTrouble = Schema.decodeUnknownSync(Trouble)
const readMode = Schema.decodeUnknownSync(DeliveryMode)
const readSent = Schema.decodeUnknownSync(Schema.Struct({ events: Schema.Array(Schema.String) }))

// `POST /control/things/<id>/action` is the operation `POST things id action`.
const operationOf = (method: string, path: string): { readonly id: string; readonly operation: string } => {
  const [, , kind = "", id = "", action = ""] = path.split("/")
  return { id, operation: [method, kind, id && "id", action].filter((part) => part !== "").join(" ") }
}

interface Running extends Address {
  readonly name: string
  readonly requireKnown: (head: Head) => void
  readonly handle: Handler
  readonly refuse: (error: unknown) => StandInAnswer
}

/** The parts that all stand-ins with events have: the requests that came, troubles, and deliveries. */
export class StandIn<Request extends { readonly method: string; readonly path: string }> {
  readonly deliveries: EventDeliveries
  private readonly troubles = new Troubles()
  private requests: Array<Request> = []

  constructor(deliveries: EventDeliveries) {
    this.deliveries = deliveries
  }

  /** Notes a request, and replies with `answer` unless a trouble prevents that. */
  async reply(request: Request, answer: (trouble: Trouble | undefined) => Promise<StandInAnswer>): Promise<Reply> {
    this.requests.push(request)
    if (this.requests.length > maxRequests) this.requests.shift()
    const trouble = this.troubles.take(request.method, request.path)
    if (trouble?.does === "timeOutBefore") return "silence"
    if (trouble?.does === "hangUpBefore") return "hangUp"
    const response = await answer(trouble)
    if (trouble?.does === "timeOutAfter") return "silence"
    return trouble?.does === "hangUpAfter" ? "hangUp" : response
  }

  /** Performs an operation of `/control`. `own` performs those of one stand-in, and returns undefined for any other. */
  async control(
    { body, method, path }: Incoming,
    ownControl: (operation: string, id: string, body: unknown) => unknown
  ): Promise<StandInAnswer> {
    const { id, operation } = operationOf(method, path)
    const params: unknown = body === "" ? {} : JSON.parse(body)
    const result = (await this.shared(operation, params)) ?? ownControl(operation, id, params)
    return result === undefined
      ? { status: 404, body: { message: "There is no such control." } }
      : { status: 200, body: result }
  }

  /** Serves the stand-in and delivers its events until the scope closes. */
  run({ handle, requireKnown, ...listener }: Running) {
    const { deliveries } = this
    return Effect.gen(function* () {
      yield* Effect.addFinalizer(() => Effect.sync(() => deliveries.close()))
      const url = yield* serveStandIn({
        ...listener,
        handlerOf: (head) => {
          requireKnown(head)
          // Events follow the answer of their request.
          return (incoming) => handle(incoming).finally(() => setImmediate(() => deliveries.wake()))
        }
      })
      deliveries.wake()
      return { url }
    })
  }

  private async shared(operation: string, body: unknown): Promise<unknown> {
    switch (operation) {
      case "POST troubles":
        this.troubles.add(readTrouble(body))
        return {}
      case "DELETE troubles":
        this.troubles.clear()
        return {}
      case "GET requests":
        return this.requests
      case "DELETE requests":
        this.requests = []
        return {}
      case "PUT deliveries":
        this.deliveries.setMode(readMode(body))
        return {}
      case "GET deliveries":
        return this.deliveries.waiting()
      case "POST deliveries": {
        const statuses: Array<number> = []
        for (const event of readSent(body).events) statuses.push(await this.deliveries.send(event))
        return { statuses }
      }
    }
    return undefined
  }
}
