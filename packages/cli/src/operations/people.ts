import type { Operation } from "./Operation.ts"

const member = "id email firstName lastName role isActive createdAt"

/** Organizations, API keys and people. */
export const people: ReadonlyArray<Operation> = [
  {
    id: "organizations.create",
    command: "org create",
    arguments: ["name"],
    example: '"Acme Clinic"',
    note: ({ id }) => `Next: pnpm care key issue ${String(id)}`
  },
  {
    id: "organizations.list",
    command: "org list",
    columns: "id name mode contactEmail isDisabled createdAt cell?",
    isWhole: true
  },
  { id: "organizations.get", command: "org show" },
  { id: "organizations.update", command: "org change" },
  {
    id: "organizations.update",
    command: "org rename",
    says: "Rename an organization",
    arguments: ["name"],
    only: ["name"]
  },
  {
    id: "organizations.update",
    command: "org contact",
    says: "Change the email for notices about an organization's webhook endpoints. Without one its administrators get them",
    flags: { contactEmail: "email", "-contactEmail": "remove" },
    only: ["contactEmail"]
  },
  {
    id: "organizations.update",
    command: "org disable",
    says: "Disable an organization: its keys stop working within 5 seconds",
    only: [],
    fixed: { isDisabled: true }
  },
  {
    id: "organizations.update",
    command: "org enable",
    says: "Enable a disabled organization",
    only: [],
    fixed: { isDisabled: false }
  },
  { id: "usage.list", command: "org usage", columns: "service kind unit used allowed" },
  { id: "usage.rateLimits", command: "org rate-limits", columns: "name used allowed windowSeconds" },
  { id: "dashboard.read", command: "dashboard", arguments: ["organizationId"] },
  {
    id: "apiKeys.issue",
    command: "key issue",
    note: () => "This is the only time the key is shown. Send it in the header cv-api-key."
  },
  {
    id: "apiKeys.list",
    command: "key list",
    columns: "id prefix mode label scopes allowedNetworks lastUsedAt expiresAt revokedAt",
    isWhole: true
  },
  {
    id: "apiKeys.change",
    command: "key change",
    flags: { "-scopes": "all-scopes", "-allowedNetworks": "all-networks" }
  },
  {
    id: "apiKeys.rotate",
    command: "key rotate",
    note: () => "This is the only time the key is shown. The old key works until replacedKeyExpiresAt."
  },
  { id: "apiKeys.revoke", command: "key revoke", done: "Revoked: the key stops working within 5 seconds." },
  { id: "members.add", command: "member add" },
  { id: "members.list", command: "member list", columns: member },
  { id: "members.change", command: "member change" },
  {
    id: "members.removeUser",
    command: "user delete",
    confirmation: ["A deleted user cannot be restored. Delete the user?", "The user was not deleted"],
    done: "Deleted. Cases still show the user as their submitter."
  },
  {
    id: "staffAdmin.resetSignIn",
    command: "user reset-sign-in",
    confirmation: ["Their passkeys, recovery codes and sessions end. Reset the sign-in?", "The sign-in was not reset"],
    done: "Reset. The member got a message, and enrols a passkey at the next sign-in."
  },
  { id: "staffAdmin.operators", command: "operator list", columns: "id email firstName lastName createdAt" },
  {
    id: "staffAdmin.removeOperator",
    command: "operator remove",
    confirmation: [
      "Their sessions end, and they cannot sign in any more. Deactivate the operator?",
      "The operator stays"
    ],
    done: "Deactivated. Their sessions stop working within 5 seconds."
  },
  { id: "staffSession.whoAmI", command: "session show" },
  {
    id: "staffSession.sessions",
    command: "session list",
    columns: "id client passkeyName state createdAt lastUsedAt expiresAt"
  },
  {
    id: "staffSession.endOtherSessions",
    command: "session end-others",
    done: "Ended: they stop working within 5 seconds."
  },
  { id: "staffSession.endSession", command: "session end", done: "Ended: it stops working within 5 seconds." },
  { id: "singleSignOn.get", command: "sso show" },
  { id: "singleSignOn.set", command: "sso set", file: "body" },
  { id: "singleSignOn.remove", command: "sso remove", done: "Removed: staff sign in with codes and passkeys again." },
  {
    id: "patientExport.export",
    command: "patient export",
    says: "Write everything that is stored about a patient to a JSON file",
    isFile: true
  },
  {
    id: "patientErasure.erase",
    command: "patient erase",
    confirmation: ["The data of the patient cannot be restored afterwards. Erase it?", "Nothing was erased"],
    note: ({ pending }) =>
      Array.isArray(pending) && pending.length === 0
        ? "Erased."
        : "Erased. The pending services follow when they are available."
  },
  { id: "messages.list", command: "message list", columns: "id channel to subject text createdAt" }
]
