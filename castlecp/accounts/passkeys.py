"""Passkeys (WebAuthn): an authenticator signs what it was asked, once, for this address alone."""

from __future__ import annotations

import secrets
import time
from base64 import urlsafe_b64encode
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import msgspec
from sqlalchemy import Connection, delete, func, insert, select, update

from castlecp.accounts import throttle
from castlecp.accounts.people import (
    MOST_CREDENTIALS,
    NEW_OF_ADDRESS,
    OF_ADDRESS,
    NotSignedIn,
    Signed,
    begun,
    create,
    hashed,
    named,
    naming,
)
from castlecp.accounts.tables import challenge, credential
from castlecp.errors import CastlecpError

if TYPE_CHECKING:
    from castlecp.accounts.database import Database

#: Seconds that somebody has for what the browser asks.
PATIENCE = 300


class BadPasskey(CastlecpError):
    """What an authenticator said does not do."""


class _Asked(msgspec.Struct, frozen=True):
    """What was asked: the challenge, and for whom; no account yet while somebody registers."""

    challenge: bytes
    account: str = ""
    name: str = ""


class Passkeys:
    """Those of all accounts of a database, for one address: `url` is what people see."""

    def __init__(self, database: Database, url: str) -> None:
        self.database, self._origin = database, url
        self._host = urlsplit(url).hostname or "localhost"

    def ask_new(self, name: str, address: str) -> dict[str, Any]:
        """What a browser is to ask of an authenticator for a new account.

        Raises BadName, TooOften.
        """
        shown, _ = named(name)
        throttle.take(self.database, [(f"new {address}", NEW_OF_ADDRESS)])
        return self._asked_to_make(_Asked(secrets.token_bytes(32), "", shown), shown)

    def ask_more(self, who: Signed) -> dict[str, Any]:
        """The same for one more passkey of an account. Raises NotFresh."""
        who.fresh()
        return self._asked_to_make(_Asked(secrets.token_bytes(32), who.account, who.name), who.name)

    def _asked_to_make(self, asked: _Asked, name: str) -> dict[str, Any]:
        import webauthn
        from webauthn.helpers import structs

        with self.database.reading() as connection:
            known = connection.execute(
                select(credential.c.id).where(
                    credential.c.account == asked.account, credential.c.kind == "passkey"
                )
            ).scalars()
            others = [
                structs.PublicKeyCredentialDescriptor(id=webauthn.base64url_to_bytes(one))
                for one in known
            ]
        options = webauthn.generate_registration_options(
            rp_id=self._host,
            rp_name="castlecp",
            user_name=name,
            user_id=secrets.token_bytes(16),
            challenge=asked.challenge,
            timeout=1000 * PATIENCE,
            exclude_credentials=others,
            authenticator_selection=structs.AuthenticatorSelectionCriteria(
                resident_key=structs.ResidentKeyRequirement.REQUIRED,
                user_verification=structs.UserVerificationRequirement.PREFERRED,
            ),
        )
        return self._told(asked, webauthn.options_to_json(options))

    def ask(self, address: str) -> dict[str, Any]:
        """What a browser is to ask for a sign-in. Raises TooOften."""
        import webauthn
        from webauthn.helpers.structs import UserVerificationRequirement

        throttle.take(self.database, [(f"address {address}", OF_ADDRESS)])
        asked = _Asked(secrets.token_bytes(32))
        options = webauthn.generate_authentication_options(
            rp_id=self._host,
            challenge=asked.challenge,
            timeout=1000 * PATIENCE,
            user_verification=UserVerificationRequirement.PREFERRED,
        )
        return self._told(asked, webauthn.options_to_json(options))

    def _told(self, asked: _Asked, options: str) -> dict[str, Any]:
        """The options, with the token by which they are known when they come back."""
        token, now = secrets.token_urlsafe(16), int(time.time())
        with self.database.writing() as connection:
            connection.execute(delete(challenge).where(challenge.c.expires <= now))
            connection.execute(
                insert(challenge).values(
                    token=hashed(token), body=msgspec.msgpack.encode(asked), expires=now + PATIENCE
                )
            )
        return {"token": token, "options": msgspec.json.decode(options)}

    def make(self, token: str, said: dict[str, Any], agent: str, label: str = "") -> str | None:
        """Keep a new passkey; the token of the first session of a new account, else None.

        Raises BadPasskey, Taken.
        """
        import webauthn
        from webauthn.helpers.exceptions import WebAuthnException

        asked = self._took(token)
        try:
            verified = webauthn.verify_registration_response(
                credential=said,
                expected_challenge=asked.challenge,
                expected_rp_id=self._host,
                expected_origin=self._origin,
            )
        except (WebAuthnException, ValueError, KeyError, TypeError):
            raise BadPasskey("the authenticator's answer does not do") from None
        name = urlsafe_b64encode(verified.credential_id).rstrip(b"=").decode()
        key = (name, verified.credential_public_key, verified.sign_count, label[:100])
        if asked.account:
            with self.database.writing() as connection:
                _keep(connection, asked.account, *key)
            return None
        shown, name_key = named(asked.name)
        with naming(self.database, name_key) as connection:
            owner = create(connection, shown, name_key)
            _keep(connection, owner, *key)
            return begun(connection, owner, agent)

    def sign_in(self, token: str, said: dict[str, Any], agent: str) -> str:
        """The token of a new session. Raises NotSignedIn."""
        import webauthn
        from webauthn.helpers.exceptions import WebAuthnException

        refused = NotSignedIn("this passkey is not known here")
        try:
            asked = self._took(token)
        except BadPasskey:
            raise refused from None
        with self.database.writing() as connection:
            row = connection.execute(
                select(credential).where(
                    credential.c.id == str(said.get("id")), credential.c.kind == "passkey"
                )
            ).first()
            if row is None or asked.account or asked.name:
                raise refused
            try:
                verified = webauthn.verify_authentication_response(
                    credential=said,
                    expected_challenge=asked.challenge,
                    expected_rp_id=self._host,
                    expected_origin=self._origin,
                    credential_public_key=row.secret,
                    credential_current_sign_count=row.sign_count,
                )
            except (WebAuthnException, ValueError, KeyError, TypeError):
                raise refused from None
            connection.execute(
                update(credential)
                .where(credential.c.id == row.id)
                .values(sign_count=verified.new_sign_count, used=int(time.time()))
            )
            return begun(connection, row.account, agent)

    def drop(self, who: Signed, name: str) -> bool:
        """Take a passkey away, but never the last way to sign in. Raises NotFresh, BadPasskey."""
        who.fresh()
        with self.database.writing() as connection:
            others = connection.execute(
                select(func.count())
                .select_from(credential)
                .where(
                    credential.c.account == who.account,
                    credential.c.kind != "recovery",
                    credential.c.id != name,
                )
            ).scalar_one()
            if not others:
                raise BadPasskey("this is the last way to sign in: add another one first")
            gone = connection.execute(
                delete(credential).where(
                    credential.c.account == who.account,
                    credential.c.kind == "passkey",
                    credential.c.id == name,
                )
            )
            return gone.rowcount > 0

    def _took(self, token: str) -> _Asked:
        """What was asked, which is good for one answer. Raises BadPasskey."""
        with self.database.writing() as connection:
            row = connection.execute(
                delete(challenge)
                .where(challenge.c.token == hashed(token))
                .returning(challenge.c.body, challenge.c.expires)
            ).first()
        if row is None or row.expires <= time.time():
            raise BadPasskey("what was asked is too old: try again")
        return msgspec.msgpack.decode(row.body, type=_Asked)


def _keep(
    connection: Connection, owner: str, name: str, key: bytes, sign_count: int, label: str
) -> None:
    number = connection.execute(
        select(func.count()).select_from(credential).where(credential.c.account == owner)
    ).scalar_one()
    if number >= MOST_CREDENTIALS:
        raise BadPasskey(f"an account has at most {MOST_CREDENTIALS} ways to sign in")
    if connection.execute(select(credential.c.id).where(credential.c.id == name)).first():
        raise BadPasskey("this passkey is known already")
    connection.execute(
        insert(credential).values(
            id=name,
            account=owner,
            kind="passkey",
            secret=key,
            sign_count=sign_count,
            label=label,
            created=int(time.time()),
        )
    )
