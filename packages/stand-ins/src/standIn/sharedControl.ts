import { Schema } from "effect"
import type { Answer } from "./Answer.ts"
import { type Deliveries, Telling } from "./Deliveries.ts"
import type { Received } from "./Received.ts"
import { Trouble, type Troubles } from "./Troubles.ts"

interface Parts {
  readonly deliveries: Deliveries
  readonly received: Received<unknown>
  readonly troubles: Troubles
}

const readTrouble = Schema.decodeUnknownSync(Trouble)
const readTelling = Schema.decodeUnknownSync(Telling)
const readSent = Schema.decodeUnknownSync(Schema.Struct({ events: Schema.Array(Schema.String) }))

/** What is asked for under `/control`: `POST things id action`, and the id. */
export const operationOf = (method: string, path: string): { readonly id: string; readonly operation: string } => {
  const [, , kind = "", id = "", action = ""] = path.split("/")
  return { id, operation: [method, kind, id && "id", action].filter((part) => part !== "").join(" ") }
}

const ok = (body: unknown): Answer => ({ status: 200, body })

/**
 * Does what tests ask of every stand-in: what goes wrong, which requests came, and when events are told. Undefined when it is
 * asked for something else.
 */
export const sharedControl = async (
  { deliveries, received, troubles }: Parts,
  operation: string,
  body: unknown
): Promise<Answer | undefined> => {
  switch (operation) {
    case "POST troubles":
      troubles.add(readTrouble(body))
      return ok({})
    case "DELETE troubles":
      troubles.clear()
      return ok({})
    case "GET requests":
      return ok(received.all())
    case "DELETE requests":
      received.forget()
      return ok({})
    case "PUT deliveries":
      deliveries.tell(readTelling(body))
      return ok({})
    case "GET deliveries":
      return ok(deliveries.waiting())
    case "POST deliveries": {
      const statuses: Array<number> = []
      for (const event of readSent(body).events) statuses.push(await deliveries.send(event))
      return ok({ statuses })
    }
  }
  return undefined
}
