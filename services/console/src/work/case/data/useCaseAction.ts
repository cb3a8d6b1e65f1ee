import type { CaseId } from "@care/domain/ids"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import type { Effect } from "effect"
import { send } from "../../../client/send.ts"
import { announce } from "../../../ui/announce.ts"
import { caseChanged } from "../../caseChanged.ts"

/** Changes a case, says so when it is done, and reads the case again, also when the change was refused. */
export const useCaseAction = <Input, Result>(
  caseId: CaseId,
  request: (input: Input) => Effect.Effect<Result, unknown>,
  done: string
) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (input: Input) => send(request(input)),
    onSuccess: () => announce(done),
    onSettled: () => caseChanged(client, caseId)
  })
}
