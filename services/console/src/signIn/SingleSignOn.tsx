import { useMutation } from "@tanstack/react-query"
import { useSearch } from "@tanstack/react-router"
import { send } from "../client/send.ts"
import { staffSignIn } from "../session/usePasskey.ts"
import { Button } from "../ui/Button.tsx"
import { Failure } from "../ui/Failure.tsx"

/** Leads to the OpenID provider of the organization that the email belongs to. */
export const SingleSignOn = ({ email }: { readonly email: string }) => {
  const { next } = useSearch({ from: "/sign-in" })
  const start = useMutation({
    mutationFn: () => {
      const payload = { email, ...(next !== undefined && { next }) }
      return send(staffSignIn.startSingleSignOn({ query: {}, payload }))
    },
    onSuccess: ({ data }) => location.assign(data.redirectTo)
  })
  return (
    <>
      <Button isDisabled={email === ""} isPending={start.isPending || start.isSuccess} onPress={() => start.mutate()}>
        Single sign-on of your organization
      </Button>
      {start.error === null ? null : <Failure error={start.error} />}
    </>
  )
}
