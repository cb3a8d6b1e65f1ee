import type { OrganizationId } from "@care/domain/ids"
import type { ReactNode } from "react"
import { may } from "../client/may.ts"
import { Bundles } from "./bundles/Bundles.tsx"
import { Forms } from "./forms/Forms.tsx"
import { Keys } from "./keys/Keys.tsx"
import { Members } from "./members/Members.tsx"
import { Overview } from "./overview/Overview.tsx"
import { Patients } from "./patients/Patients.tsx"
import { Products } from "./products/Products.tsx"
import { PromoCodes } from "./promoCodes/PromoCodes.tsx"
import { SignOn } from "./signOn/SignOn.tsx"

interface Part {
  readonly part: string
  readonly title: string
  readonly isFor: (role: string) => boolean
  readonly show: (organizationId: OrganizationId) => ReactNode
}

const whoMay =
  (group: string, operation: string) =>
  (role: string): boolean =>
    may(role, group, operation)

/** The parts of an organization's page, in order, each for the roles that may read what it shows. */
export const parts: ReadonlyArray<Part> = [
  {
    part: "overview",
    title: "Overview",
    isFor: whoMay("organizations", "get"),
    show: (id) => <Overview organizationId={id} />
  },
  { part: "keys", title: "API keys", isFor: whoMay("apiKeys", "list"), show: (id) => <Keys organizationId={id} /> },
  {
    part: "members",
    title: "Members",
    isFor: whoMay("members", "list"),
    show: (id) => <Members organizationId={id} />
  },
  {
    part: "sign-on",
    title: "Single sign-on",
    isFor: whoMay("singleSignOn", "get"),
    show: (id) => <SignOn organizationId={id} />
  },
  {
    part: "products",
    title: "Products",
    isFor: whoMay("catalogue", "listProducts"),
    show: (id) => <Products organizationId={id} />
  },
  {
    part: "forms",
    title: "Forms",
    isFor: whoMay("catalogue", "listForms"),
    show: (id) => <Forms organizationId={id} />
  },
  {
    part: "bundles",
    title: "Bundles",
    isFor: whoMay("catalogue", "listBundles"),
    show: (id) => <Bundles organizationId={id} />
  },
  {
    part: "promo-codes",
    title: "Promo codes",
    isFor: whoMay("adminPromoCodes", "list"),
    show: (id) => <PromoCodes organizationId={id} />
  },
  {
    part: "patients",
    title: "Patient data",
    isFor: whoMay("patientExport", "export"),
    show: (id) => <Patients organizationId={id} />
  }
]
