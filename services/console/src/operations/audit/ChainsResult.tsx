import type { Verified } from "./verifyChains.ts"

/** The result of a verification in words. */
export const ChainsResult = ({ verified }: { readonly verified: Verified }) => {
  const { archivedMonths, findings, records } = verified
  return (
    <div className="flex flex-col gap-2">
      {findings.length === 0 ? (
        <p className="rounded-md bg-good-soft p-3 text-good">
          No changes found. {records.toLocaleString("en")} records are as the services wrote them.
        </p>
      ) : (
        <div className="flex flex-col gap-2 rounded-md bg-bad-soft p-3 text-bad">
          <p className="font-semibold">
            Audit records were changed. Tell whoever is responsible for security. Findings: {findings.length}.
          </p>
          <ul className="list-disc pl-5">
            {findings.slice(0, 100).map(({ finding, service }) => (
              <li key={`${service} ${finding}`} className="break-words">
                In {service}, {finding}
              </li>
            ))}
          </ul>
          {findings.length > 100 ? <p>These are the first 100. care audit verify lists all.</p> : null}
        </div>
      )}
      {archivedMonths.length === 0 ? null : (
        <p>
          Not verified, because they are archived: {archivedMonths.join(", ")}. The command{" "}
          <code>care audit verify --archive</code> verifies them.
        </p>
      )}
    </div>
  )
}
