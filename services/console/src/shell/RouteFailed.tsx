import { type ErrorComponentProps, useRouter } from "@tanstack/react-router"
import { Failure } from "../ui/Failure.tsx"

/** The page in the place of a screen that failed. */
export const RouteFailed = ({ error, reset }: ErrorComponentProps) => {
  const router = useRouter()
  return (
    <main className="mx-auto flex max-w-2xl flex-col gap-5 p-6">
      <h1 className="text-xl font-semibold">This page cannot be shown</h1>
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
