import { Schema } from "effect"
import { Timestamp } from "../http/Timestamp.ts"
import { OrganizationId } from "../Ids.ts"

/** How the staff of an organization sign in at its OpenID provider. The client's secret is never shown. */
export const SingleSignOn = Schema.Struct({
  organizationId: OrganizationId,
  issuer: Schema.String,
  clientId: Schema.String,
  hasClientSecret: Schema.Boolean,
  domains: Schema.Array(Schema.String),
  isRequired: Schema.Boolean,
  redirectUri: Schema.String,
  createdAt: Timestamp,
  updatedAt: Timestamp
}).annotate({ identifier: "SingleSignOn" })
export type SingleSignOn = typeof SingleSignOn.Type

/**
 * Why a single sign-on failed, as the page of sign-in is told: it took too long, was begun elsewhere, or was used (`expired`); the provider
 * refused it or gave no valid answer (`provider`); it names no verified email of a domain of the organization (`email`); nobody of the
 * organization has the email (`member`).
 */
export const SignOnFailure = Schema.Literals(["expired", "provider", "email", "member"])
export type SignOnFailure = typeof SignOnFailure.Type

/** An organization has no single sign-on. */
export class SingleSignOnNotFound extends Schema.TaggedError<SingleSignOnNotFound>()("SingleSignOnNotFound", {
  organizationId: OrganizationId
}) {}

/** The domain of an email belongs to no single sign-on. It says nothing of the email. */
export class DomainWithoutSignOn extends Schema.TaggedError<DomainWithoutSignOn>()("DomainWithoutSignOn", {}) {}

/** Another organization has a domain: for its single sign-on, or its staff has emails of it. */
export class DomainTaken extends Schema.TaggedError<DomainTaken>()("DomainTaken", { domain: Schema.String }) {}

/** A provider did not answer, or not as OpenID Connect asks. */
export class ProviderUnusable extends Schema.TaggedError<ProviderUnusable>()("ProviderUnusable", {}) {}

/** An organization has as many sign-ins in progress as may be. */
export class SignOnsFull extends Schema.TaggedError<SignOnsFull>()("SignOnsFull", {}) {}
