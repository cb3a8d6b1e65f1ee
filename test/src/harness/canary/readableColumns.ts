const columns = (reason: string, ...names: ReadonlyArray<string>): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name) => [name, reason]))

/** The columns that may contain the identity of a patient unsealed, with the reason. */
export const personColumns: Readonly<Record<string, string>> = {
  ...columns(
    "people are found by them, shown by them to their organization, and told",
    "auth.users.first_name",
    "auth.users.last_name",
    "auth.users.email",
    "auth.users.phone_number"
  ),
  ...columns(
    "where a patient lives, whose name and address are no secret of a case",
    "auth.users.address",
    "auth.users.address2",
    "auth.users.city",
    "auth.users.postal_code"
  ),
  ...columns(
    "a case is read, and found by its patient, without asking auth",
    "cases.people.first_name",
    "cases.people.last_name",
    "cases.people.email",
    "cases.people.phone_number"
  ),
  "auth.credentials.login_email": "a patient signs in by it",
  "auth.one_time_codes.identifier": "a code is for the address that it was sent to",
  "auth.messages.receiver": "the mailbox of development, and of a sandbox, is searched by it",
  "auth.messages.text": "the mailbox of development: in production there is none"
}

/** The columns that may contain texts about an organization unsealed, with the reason. */
export const organizationColumns: Readonly<Record<string, string>> = {
  ...columns("its name and its keys'", "auth.organizations.name", "auth.api_keys.label"),
  ...columns("what everybody reads at /status", "auth.incidents.title", "auth.incidents.text"),
  ...columns("the passkeys of its staff", "auth.passkeys.name", "auth.passkeys.transports"),
  "auth.organizations.contact_email": "who is told that an endpoint of it was disabled",
  "auth.single_sign_ons.client_id": "the name of the organization at its OpenID provider",
  ...columns(
    "its staff",
    "auth.users.first_name",
    "auth.users.last_name",
    "auth.users.email",
    "auth.users.title",
    "auth.users.title_suffix",
    "auth.users.npi",
    "auth.users.dea",
    "cases.people.first_name",
    "cases.people.last_name",
    "cases.people.email"
  ),
  ...columns(
    "its catalogue, which is every patient's",
    "cases.products.name",
    "cases.products.description",
    "cases.bundles.name",
    "cases.bundles.description",
    "cases.bundles.image_url",
    "cases.forms.title",
    "cases.forms.description",
    "cases.form_questions.question",
    "cases.form_questions.hint",
    "cases.form_questions.placeholder",
    "cases.form_questions.options",
    "payments.promo_codes.code",
    "payments.promo_codes.name",
    "payments.promo_code_terms.term"
  ),
  ...columns("what it calls a form, and a case after it", "cases.cases.title", "cases.form_responses.title"),
  "cases.orders.carrier_name": "who brings a parcel",
  "cases.orders.pharmacy_order_id": "the pharmacy's own number of an order",
  "scheduling.calendar_events.agent_name": "which calendar an event is in",
  ...columns("the mailbox of development: in production there is none", "auth.messages.subject", "auth.messages.text")
}
