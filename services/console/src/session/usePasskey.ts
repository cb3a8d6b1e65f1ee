import { StaffSignInApi } from "@care/domain/admin"
import { type PublicKeyCredentialRequestOptionsJSON, startAuthentication } from "@simplewebauthn/browser"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { Effect } from "effect"
import { clientOf } from "../client/clientOf.ts"
import { send } from "../client/send.ts"
import { passkeyFailed } from "./passkeyFailed.ts"
import { raisingKey, sessionQuery } from "./session.ts"

/** The client of the sign-in. */
export const { staffSignIn } = Effect.runSync(clientOf(StaffSignInApi))

/** Signs in with a passkey, completes a sign-in with a code, or steps the session up. */
export const usePasskey = () => {
  const client = useQueryClient()
  return useMutation({
    mutationKey: raisingKey,
    mutationFn: async () => {
      const { allowCredentials, ...options } = await send(staffSignIn.assertionOptions({ query: {} }))
      const optionsJSON: PublicKeyCredentialRequestOptionsJSON = {
        ...options,
        allowCredentials: allowCredentials.map(({ id, type }) => ({ id, type }))
      }
      const { id, rawId, response, type } = await startAuthentication({ optionsJSON }).catch(passkeyFailed)
      const { authenticatorData, clientDataJSON, signature, userHandle } = response
      return send(
        staffSignIn.assert({
          query: {},
          payload: { id, rawId, type, response: { authenticatorData, clientDataJSON, signature, userHandle } }
        })
      )
    },
    onSuccess: (session) => client.setQueryData(sessionQuery.queryKey, session)
  })
}
