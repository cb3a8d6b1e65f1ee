import { type ErrorComponentProps, useRouter } from "@tanstack/react-router"
import { Failure } from "../ui/Failure.tsx"

/** The page in the place of a screen that failed. */
export const RouteFailed = ({ error, reset }: ErrorComponentProps) => {
  const router = useRouter()
  return (
    <main className="mx-auto max-w-2xl p-6">
      <Failure
        error={error instanceof Error ? error : new Error(String(error))}
        onRetry={() => {
          reset()
          void router.invalidate()
        }}
      />
    </main>
  )
}
