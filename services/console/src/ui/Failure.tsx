import { RequestFailed } from "../client/RequestFailed.ts"
import { Button } from "./Button.tsx"
import { Moment } from "./Moment.tsx"

interface FailureProps {
  readonly error: Error
  readonly onRetry?: () => void
}

/** Says what was refused or failed, with the request's id for the operator. */
export const Failure = ({ error, onRetry }: FailureProps) => {
  const failed = error instanceof RequestFailed ? error : undefined
  return (
    <div role="alert" className="flex flex-col items-start gap-2 rounded-md border border-bad bg-bad-soft p-3 text-ink">
      <p>
        <strong className="font-semibold">{failed?.title ?? "Something went wrong"}.</strong> {error.message}
        {failed?.at === undefined ? null : (
          <>
            {" "}
            (<Moment at={failed.at} />)
          </>
        )}
      </p>
      {failed?.requestId === undefined ? null : (
        <p className="text-sm">
          Request id: <code className="break-all">{failed.requestId}</code>
        </p>
      )}
      {onRetry === undefined ? null : (
        <Button isSmall onPress={onRetry}>
          Try again
        </Button>
      )}
    </div>
  )
}
