import type { OrganizationTroubles } from "@care/domain/cases"
import { Link } from "@tanstack/react-router"
import { chooseOrganization } from "../../session/chosenOrganization.ts"
import { type Column, DataTable } from "../../ui/DataTable.tsx"
import { linkLook } from "../../ui/linkLook.ts"
import { OrganizationName } from "../OrganizationName.tsx"
import { TroubleCount } from "./TroubleCount.tsx"

const columns: ReadonlyArray<Column<OrganizationTroubles>> = [
  {
    title: "Organization",
    cell: ({ organizationId }) => (
      <Link to="/" className={linkLook} onClick={() => chooseOrganization(organizationId)}>
        <OrganizationName id={organizationId} />
      </Link>
    )
  },
  {
    title: "Deliveries given up",
    isNumber: true,
    cell: ({ deliveriesFailed, organizationId }) => (
      <TroubleCount organizationId={organizationId} count={deliveriesFailed} of="deliveries given up" to="/webhooks" />
    )
  },
  {
    title: "Endpoints failing",
    isNumber: true,
    cell: ({ endpointsFailing, organizationId }) => (
      <TroubleCount organizationId={organizationId} count={endpointsFailing} of="endpoints failing" to="/webhooks" />
    )
  },
  {
    title: "Orders in error",
    isNumber: true,
    cell: ({ ordersInError, organizationId }) => (
      <TroubleCount organizationId={organizationId} count={ordersInError} of="orders in error" to="/orders" />
    )
  },
  {
    title: "Open escalations",
    isNumber: true,
    cell: ({ escalationsOpen, organizationId }) => (
      <TroubleCount organizationId={organizationId} count={escalationsOpen} of="open escalations" to="/escalations" />
    )
  },
  {
    title: "Cases waiting over a day",
    isNumber: true,
    cell: ({ casesWaiting, organizationId }) => (
      <TroubleCount organizationId={organizationId} count={casesWaiting} of="cases waiting over a day" to="/queue" />
    )
  }
]

/** A table of what is wrong at organizations, each count with the way to it. */
export const TroublesTable = ({ rows }: { readonly rows: ReadonlyArray<OrganizationTroubles> }) => (
  <DataTable
    caption="Organizations with troubles"
    columns={columns}
    rows={rows}
    keyOf={({ organizationId }) => organizationId}
  />
)
