import { startRegistration } from "@simplewebauthn/browser"
import { useMutation } from "@tanstack/react-query"
import { send } from "../client/send.ts"
import { passkeyFailed } from "./passkeyFailed.ts"
import { raisingKey, staffSession } from "./session.ts"

/** Makes a passkey on this device, and enrols it under a name. The first one comes with recovery codes. */
export const useEnrol = () =>
  useMutation({
    mutationKey: raisingKey,
    mutationFn: async (name: string) => {
      const options = await send(staffSession.creationOptions())
      const optionsJSON = {
        ...options,
        pubKeyCredParams: [...options.pubKeyCredParams],
        excludeCredentials: options.excludeCredentials.map(({ id, type }) => ({ id, type }))
      }
      const { id, rawId, response, type } = await startRegistration({ optionsJSON }).catch(passkeyFailed)
      const { attestationObject, clientDataJSON, transports = [] } = response
      const credential = { id, rawId, type, response: { attestationObject, clientDataJSON, transports } }
      return send(staffSession.register({ payload: { name, credential } }))
    }
  })
