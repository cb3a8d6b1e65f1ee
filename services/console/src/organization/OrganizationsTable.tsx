import type { Organization } from "@care/domain/auth"
import { Link } from "@tanstack/react-router"
import { Badge } from "../ui/Badge.tsx"
import { DataTable } from "../ui/DataTable.tsx"
import { linkLook } from "../ui/linkLook.ts"
import { Moment } from "../ui/Moment.tsx"

/** A table of organizations, each with the link to its page. */
export const OrganizationsTable = ({ rows }: { readonly rows: ReadonlyArray<Organization> }) => (
  <DataTable
    caption="Organizations"
    rows={rows}
    keyOf={({ id }) => id}
    columns={[
      {
        title: "Name",
        cell: ({ id, name }) => (
          <Link
            to="/organizations/$organizationId/$part"
            params={{ organizationId: id, part: "overview" }}
            className={linkLook}
            dir="auto"
          >
            {name}
          </Link>
        )
      },
      {
        title: "State",
        cell: ({ isDisabled }) => <Badge look={isDisabled ? "bad" : "good"} text={isDisabled ? "Disabled" : "Active"} />
      },
      { title: "Contact email", cell: ({ contactEmail }) => contactEmail ?? "None" },
      ...(rows.some(({ cell }) => cell !== undefined)
        ? [{ title: "Cell", cell: ({ cell }: Organization) => cell ?? "" }]
        : []),
      { title: "Created", cell: ({ createdAt }) => <Moment at={createdAt} /> }
    ]}
  />
)
