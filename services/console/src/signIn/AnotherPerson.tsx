import { useMutation } from "@tanstack/react-query"
import { signOut } from "../session/signOut.ts"
import { Button } from "../ui/Button.tsx"
import { Failure } from "../ui/Failure.tsx"

/** Gives an unfinished sign-in up. */
export const AnotherPerson = () => {
  const leave = useMutation({ mutationFn: signOut })
  return (
    <div className="flex flex-col items-start gap-2">
      <Button look="quiet" isSmall isPending={leave.isPending} onPress={() => leave.mutate()}>
        Sign in as another person
      </Button>
      {leave.error === null ? null : <Failure error={leave.error} />}
    </div>
  )
}
