import { usePasskey } from "../session/usePasskey.ts"
import { Button } from "../ui/Button.tsx"

export const SignIn = () => {
  const passkey = usePasskey()
  return (
    <Button look="primary" onPress={() => passkey.mutate()}>
      Sign in with a passkey
    </Button>
  )
}
