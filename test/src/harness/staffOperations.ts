import { permissionOf } from "@care/domain/permissions"
import { type Contract, contracts } from "../../operations/contracts.ts"
import type { Request } from "../../operations/Request.ts"

/** The operations of the admin API that people may call, except those of signing in, with the roles that may. */
export const staffOperations = contracts.flatMap((contract) => {
  const [group = "", ...rest] = contract.id.split(".")
  const permission = permissionOf({ identifier: group }, { identifier: rest.join(".") })
  return permission === undefined ? [] : [{ contract, permission }]
})

const people = ["addedByUserId", "authorUserId", "uploadedByUserId", "assignedByUserId"] as const

/** Returns a request without what a signed-in person leaves out: who they are, and what operators alone may change. */
export const ofPerson = ({ id }: Contract, { body, ...request }: Request): Request => {
  const leftOut: ReadonlyArray<string> =
    id === "breakGlass.open" ? ["userId"] : id === "organizations.update" ? ["isDisabled"] : people
  return {
    ...request,
    ...(body !== undefined && {
      body: Object.fromEntries(Object.entries(body).filter(([name]) => !leftOut.includes(name)))
    })
  }
}
