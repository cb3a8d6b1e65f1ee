import { nobodysId, platformId } from "@care/domain/ids"
import { caseStatements } from "../seed/caseStatements.ts"

/** Statements that store the data of an organization's cases and patients, for each row of `made` (see `caseStatements`). */
export const growthStatements: ReadonlyArray<string> = [
  ...caseStatements,

  // Entries at the end of a chain, whose hashes nobody verifies. The numbers leave room for what the suite has recorded.
  `WITH ended AS (
     INSERT INTO cases.audit_heads (organization_id, count, hash, month)
     SELECT organization_id, 1000000 + max(n), sha256('seed'), to_char(now() AT TIME ZONE 'UTC', 'YYYYMM')::integer
     FROM made, given GROUP BY organization_id
     ON CONFLICT (organization_id) DO UPDATE SET count = excluded.count, hash = excluded.hash, month = excluded.month
   )
   INSERT INTO cases.audit_entries (
     organization_id, number, id, at, month, kinds, case_id, user_id, request_name, hash, action, actor_type
   )
   SELECT organization_id, 1000000 + n,
          (regexp_replace(lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0'), '(.{8})(.{4})', '\\1-\\2-7')
            || right(note_id::text, 21))::uuid,
          at, to_char(now() AT TIME ZONE 'UTC', 'YYYYMM')::integer, 4, case_id, user_id, 'seed', sha256('seed'),
          CASE n % 10 WHEN 0 THEN 'CASE_CREATED' ELSE 'CASE_READ' END, 'JOB'
   FROM made, given`,
  `INSERT INTO auth.users (
     organization_id, id, email, first_name, last_name, role, is_active, created_at, updated_at, deleted_at
   )
   SELECT organization_id, note_id, 'seed.member' || n || '@example.com', 'Jane', 'Rivera', 'SUPPORT', n % 100 = 0, at, at,
          CASE n % 100 WHEN 0 THEN NULL ELSE at END
   FROM made, given WHERE n % 50 = 0`,
  // Enough operators and orders in error for a second page, equally many for each number of cases.
  `INSERT INTO auth.organizations (id, name, created_at, updated_at)
   VALUES ('${platformId}', 'Platform', now(), now()) ON CONFLICT (id) DO NOTHING`,
  `INSERT INTO auth.users (
     organization_id, id, email, first_name, last_name, role, is_active, created_at, updated_at
   )
   SELECT '${platformId}', case_id, 'seed.operator' || n || '@example.com', 'Jane', 'Rivera', 'OPERATOR', true, at, at
   FROM made WHERE n <= 10`,
  `INSERT INTO auth.organizations (id, name, created_at, updated_at)
   SELECT note_id, 'Clinic ' || n, at, at FROM made WHERE n % 50 = 0`,
  `INSERT INTO auth.api_keys (id, organization_id, label, prefix, key_hash, created_at)
   SELECT note_id, organization_id, 'Key ' || n, 'ck_' || n, 'hash ' || n, at FROM made, given WHERE n % 50 = 0`,
  `INSERT INTO auth.credentials (organization_id, login_email, user_id, password_hash, created_at, updated_at)
   SELECT organization_id, 'seed' || n || '@example.com', user_id, 'none', at, at FROM made, given WHERE n % 10 = 0`,
  `INSERT INTO auth.one_time_codes (organization_id, user_id, id, max_attempts, expires_at, next_code_at, sent_at)
   SELECT organization_id, user_id, note_id, 5, now(), at, ARRAY[at] FROM made, given WHERE n % 20 = 0`,
  `INSERT INTO auth.code_requests (organization_id, identifier_hash, requested_at)
   SELECT organization_id, 'hash ' || n, now() FROM made, given WHERE n % 20 = 0`,
  `INSERT INTO auth.refresh_token_families (
     organization_id, id, user_id, created_at, expires_at, absolute_expires_at
   )
   SELECT organization_id, note_id, user_id, at, now() + interval '30 days', now() + interval '60 days' FROM made, given WHERE n % 10 = 0`,
  `INSERT INTO auth.refresh_tokens (organization_id, token_hash, family_id, created_at, expires_at, revoked_at)
   SELECT organization_id, 'hash ' || n || ' ' || turn, note_id, at, now() + interval '30 days',
          CASE turn WHEN 1 THEN at END
   FROM made, given, generate_series(1, 2) AS turn WHERE n % 10 = 0`,
  // What hangs on the members above, and sign-ins of nobody yet, none of which expires during the measurement.
  `INSERT INTO auth.staff_sessions (
     organization_id, id, user_id, token_hash, kind, state, created_at, last_used_at, expires_at
   )
   SELECT organization_id, note_id, note_id, 'hash ' || n, 'BROWSER', 'ACTIVE', at, now(), now() + interval '12 hours'
   FROM made, given WHERE n % 50 = 0`,
  `INSERT INTO auth.passkeys (
     organization_id, id, user_id, credential_id, public_key, counter, transports, name, created_at
   )
   SELECT organization_id, note_id, note_id, 'credential ' || n, 'none', 0, '{}', 'Laptop', at
   FROM made, given WHERE n % 50 = 0`,
  `INSERT INTO auth.passkey_challenges (organization_id, challenge_hash, purpose, expires_at)
   SELECT '${nobodysId}', 'hash ' || n, 'USE', now() + interval '12 hours' FROM made WHERE n % 50 = 0`,
  `INSERT INTO auth.recovery_codes (organization_id, user_id, code_hash, created_at)
   SELECT organization_id, note_id, 'hash ' || turn, at FROM made, given, generate_series(1, 10) AS turn WHERE n % 50 = 0`,
  `INSERT INTO auth.device_sign_ins (
     organization_id, id, device_code_hash, user_code_hash, state, asked_at, expires_at
   )
   SELECT '${nobodysId}', note_id, 'device ' || n, 'user ' || n, 'PENDING', at, now() + interval '12 hours'
   FROM made WHERE n % 50 = 0`,
  `INSERT INTO auth.single_sign_ons (organization_id, issuer, client_id, is_required, created_at, updated_at)
   SELECT note_id, 'https://login.example.com', 'care', false, at, at FROM made WHERE n % 50 = 0`,
  `INSERT INTO auth.single_sign_on_domains (domain, organization_id)
   SELECT 'clinic' || n || '.example.com', note_id FROM made WHERE n % 50 = 0`,
  `INSERT INTO auth.sign_ons_in_progress (
     organization_id, state_hash, for_organization_id, browser_hash, nonce, code_verifier, expires_at
   )
   SELECT '${nobodysId}', 'hash ' || n, note_id, 'hash ' || n, 'nonce', 'verifier', now() + interval '12 hours'
   FROM made WHERE n % 50 = 0`,
  `INSERT INTO auth.messages (organization_id, id, channel, receiver, subject, text, created_at)
   SELECT organization_id, note_id, CASE n % 40 WHEN 0 THEN 'SMS' ELSE 'EMAIL' END, 'seed' || n || '@example.com',
          'Your code', 'It is a secret.', now() - n % 86400 * interval '1 second'
   FROM made, given WHERE n % 20 = 0`,

  ...["auth", "cases", "payments"].map(
    (service) =>
      `INSERT INTO ${service}.idempotency_keys (
         organization_id, operation, key, body_hash, ids, holder, leased_until, answer, created_at
       )
       SELECT organization_id, 'seeded', n, 'k1:hash', '{}', note_id, at, sealed, now() - n % 86400 * interval '1 second'
       FROM made, given WHERE n % 10 = 0`
  ),
  ...["auth", "cases", "payments", "scheduling"].map(
    (service) =>
      `INSERT INTO ${service}.jobs (
         id, queue_name, organization_id, version, payload, request_id, state, attempts, due_at, created_at, ended_at
       )
       SELECT gen_random_uuid(), CASE n % 500 WHEN 0 THEN 'retired' ELSE 'assignment' END, organization_id, 1,
              CASE n % 500 WHEN 0 THEN 'unreadable'::bytea END, note_id,
              CASE n % 500 WHEN 0 THEN 'failed' ELSE 'completed' END, 1, ago, ago, ago
       FROM made, given, LATERAL (SELECT now() - n % 86400 * interval '1 second' AS ago) AS moment
       WHERE n % 20 = 0`
  ),

  `INSERT INTO cases.case_addresses (organization_id, case_id, shipping_address, reported_at)
   SELECT organization_id, case_id, sealed, at FROM made, given WHERE n % 2 = 0`,
  `INSERT INTO cases.forms (organization_id, id, title, is_dynamic, created_at)
   SELECT organization_id, note_id, 'Form ' || n, true, at FROM made, given WHERE n % 50 = 0`,
  `INSERT INTO cases.products (organization_id, id, name, is_archived, created_at)
   SELECT organization_id, note_id, 'Program ' || n, n % 100 = 0, at FROM made, given WHERE n % 50 = 0`,
  // Archived ones, so that the length of the partner's list does not change.
  `INSERT INTO cases.bundles (
     organization_id, id, name, description, image_url, price, price_unit, initial_discount, is_sold_out, is_visible,
     is_archived, created_at
   )
   SELECT organization_id, note_id, 'Bundle ' || n, '', '', 49, 'USD', 0, false, true, true, at
   FROM made, given WHERE n % 50 = 0`,
  `INSERT INTO cases.form_questions (
     organization_id, id, form_id, index, question, type, required, phi, hint, placeholder, options
   )
   SELECT organization_id, note_id, note_id, 0, 'How much do you weigh?', 'TEXT', true, true, '', '', '{}'
   FROM made, given WHERE n % 50 = 0`,
  `INSERT INTO cases.document_pieces (organization_id, document_id, index, bytes)
   SELECT organization_id, document_id, 0, 'unreadable' FROM made, given WHERE n % 10 = 0`,
  `INSERT INTO cases.orders (
     organization_id, id, case_id, external_id, status, items, shipping_logs, created_at, updated_at
   )
   SELECT organization_id, note_id, case_id, note_id, CASE WHEN n <= 100 THEN 'ERROR' ELSE 'SUBMITTED' END, sealed, sealed, at, at
   FROM made, given WHERE n % 10 = 0`,
  // Completed escalations, because the operations add an active one with the same title to any case. Their list opens any note.
  `INSERT INTO cases.escalations (
     organization_id, id, case_id, type, title, note, is_completed, created_at, updated_at
   )
   SELECT organization_id, note_id, case_id, 'support', 'Cancellation', NULL, true, at, at
   FROM made, given WHERE n % 10 = 0`,
  `INSERT INTO cases.order_contents (organization_id, order_id, shipping_address, prescription, documents)
   SELECT organization_id, note_id, sealed, sealed, sealed FROM made, given WHERE n % 10 = 0`,
  `INSERT INTO cases.pharmacy_events (organization_id, event_id, order_id, received_at)
   SELECT organization_id, 'event ' || n, note_id, now() - n % 86400 * interval '1 second'
   FROM made, given WHERE n % 10 = 0`,
  `INSERT INTO cases.case_viewers (organization_id, case_id, viewer_id, since, seen_at)
   SELECT organization_id, case_id, note_id, at, now() - n % 86400 * interval '1 second' FROM made, given WHERE n % 10 = 0`,
  `INSERT INTO payments.payments (
     organization_id, id, case_id, user_id, is_initial, is_prepared, status, version, gross_amount, amount, currency,
     differs_from_gateway, provider_reference_type, provider_reference_id, intent_id, created_at, updated_at
   )
   SELECT organization_id, note_id, case_id, user_id, true, false, CASE n % 10 WHEN 0 THEN 'PAID' ELSE 'UNPAID' END, 1, 49, 49,
          'USD', false, CASE n % 10 WHEN 0 THEN 'PAYMENT_INTENT' ELSE 'SETUP_INTENT' END,
          CASE n % 10 WHEN 0 THEN 'pi_' || n ELSE 'seti_' || n END, CASE n % 10 WHEN 0 THEN 'pi_' || n END, at, at
   FROM made, given WHERE n % 2 = 0`,
  // Payments of a tenth of the cases, and their events.
  `INSERT INTO payments.payment_intents (id, organization_id, state, amount, currency, updated_at)
   SELECT 'pi_' || n, organization_id,
          '{"worth":null,"isFailed":false,"isAuthorized":false,"isPaid":true,"isCanceled":false,"heldUntil":null,"received":4900,"refunded":0,"refunds":{},"disputes":{}}',
          49, 'USD', at
   FROM made, given WHERE n % 10 = 0`,
  `INSERT INTO payments.payment_events (event_id, id, type, intent_id, happened_at, created_at, handled_at, result, status)
   SELECT 'evt_' || n, note_id, 'payment_intent.succeeded', 'pi_' || n, now(), now() - n % 86400 * interval '1 second', now(),
          'CHANGED', 'PAID'
   FROM made, given WHERE n % 10 = 0`,
  `INSERT INTO cases.case_payments (organization_id, payment_id, case_id, status, outcome, version)
   SELECT organization_id, note_id, case_id, 'PAID', 'SUCCEEDED', 2 FROM made, given WHERE n % 10 = 0`,
  `INSERT INTO cases.calendar_event_snapshots (organization_id, event_id, case_id, version)
   SELECT organization_id, note_id, case_id, 1 FROM made, given WHERE n % 10 = 0`,
  // Promo codes of the organization, and equally named ones of others.
  `INSERT INTO payments.promo_codes (
     organization_id, id, code, name, percent_discount, is_active, bundle_ids, redemptions, created_at, updated_at
   )
   SELECT CASE n % 100 WHEN 0 THEN organization_id ELSE note_id END, note_id, 'SPRING' || n,
          CASE n % 100 WHEN 0 THEN NULL ELSE 'Welcome' END, 10, true, '{}', n % 2, at, at
   FROM made, given WHERE n % 50 = 0`,
  `INSERT INTO payments.promo_code_terms (organization_id, term, promo_code_id, created_at)
   SELECT CASE n % 100 WHEN 0 THEN organization_id ELSE note_id END, term, note_id, at
   FROM made, given, unnest(CASE n % 100 WHEN 0 THEN ARRAY['spring' || n] ELSE ARRAY['spring' || n, 'welcome'] END) AS term
   WHERE n % 50 = 0`,
  `INSERT INTO payments.promo_redemptions (organization_id, case_id, promo_code_id, created_at)
   SELECT organization_id, case_id, note_id, at FROM made, given WHERE n % 50 = 0`,
  `INSERT INTO payments.case_owners (organization_id, case_id, user_id)
   SELECT organization_id, case_id, user_id FROM made, given WHERE n % 2 = 0`,
  `INSERT INTO payments.saved_methods (
     organization_id, user_id, customer_id, payment_method_id, shipping_address, saved_at
   )
   SELECT organization_id, user_id, 'cus_' || n, 'pm_' || n, sealed, at FROM made, given WHERE n % 2 = 0`,
  `INSERT INTO payments.patient_customers (organization_id, customer_id, user_id)
   SELECT organization_id, 'cus_' || n, user_id FROM made, given WHERE n % 2 = 0`,
  `INSERT INTO payments.deleted_customers (organization_id, customer_id, deleted_at)
   SELECT organization_id, 'cus_deleted_' || n, at FROM made, given WHERE n % 2 = 0`,
  `INSERT INTO payments.stripe_calls (organization_id, operation, attempt, began_at, attempted_at)
   SELECT organization_id, 'intent-' || note_id, 1, at, now() - n % 86400 * interval '1 second'
   FROM made, given WHERE n % 2 = 0`,
  `INSERT INTO payments.payment_confirmations (
     organization_id, id, payment_id, case_id, status, amount, payment_date, valid_until, description, reported_at
   )
   SELECT organization_id, note_id, note_id, case_id, 'PAID', 49, '2026-03-01', '2026-04-01', sealed, at
   FROM made, given WHERE n % 2 = 0`,
  `INSERT INTO cases.events (organization_id, id, position, type, case_id, is_test, at, data, created_at)
   SELECT organization_id, note_id, nextval('cases.event_positions'), 'case.closed', case_id, false, at, '{}',
          now() - n % 86400 * interval '1 second'
   FROM made, given WHERE n % 2 = 0`,
  `INSERT INTO scheduling.calendar_events (
     organization_id, id, case_id, user_id, agent_name, title, is_editable, status, starts_at, ends_at, timezone,
     created_at, updated_at
   )
   SELECT organization_id, note_id, case_id, user_id, 'custom', sealed, true, 'SCHEDULED', starts_at,
          starts_at + CASE n % 40 WHEN 0 THEN interval '1 day' ELSE interval '30 minutes' END, 'America/Denver', at, at
   FROM made, given, LATERAL (SELECT CASE n % 20 WHEN 0 THEN at ELSE timestamptz '2060-01-01' + n * interval '1 hour' END)
     AS event (starts_at)
   WHERE n % 10 = 0`,
  `INSERT INTO scheduling.case_snapshots (
     organization_id, case_id, user_id, short_id, title, status, is_archived, is_test, version
   )
   SELECT organization_id, case_id, user_id, 'U' || lpad(n::text, 7, '0'), 'Program', 'ASSIGNED', false, false, 1
   FROM made, given WHERE n % 10 = 0`,
  `INSERT INTO scheduling.bookings (
     organization_id, id, case_id, user_id, event_type_id, starts_at, asked, state, first_asked_at, asked_at
   )
   SELECT organization_id, note_id, case_id, user_id, 'et_demo_30min', at, sealed, CASE n % 100 WHEN 0 THEN 'MISSING' ELSE 'BOOKED' END,
          ago, ago
   FROM made, given, LATERAL (SELECT now() - n % 86400 * interval '1 second' AS ago) AS moment
   WHERE n % 10 = 0`,
  `INSERT INTO scheduling.cancellations (organization_id, id, event_id, email, is_done, asked_at)
   SELECT organization_id, note_id, note_id, sealed, true, now() - n % 86400 * interval '1 second'
   FROM made, given WHERE n % 20 = 0`,
  `INSERT INTO scheduling.provider_events (agent_event_id, type, moved_from, starts_at, ends_at, is_awaited, reported_at, received_at)
   SELECT note_id::text, 'invitee.created', case_id::text, at, at, true, at, now() - n % 86400 * interval '1 second'
   FROM made, given WHERE n % 10 = 0`
]
