"""Settings: where they come from, what is refused and how, and that no password is ever shown."""

from pathlib import Path

import pytest

from tilerummy.server.settings import BadSetting, Settings, data_folder, hidden

SECRET = "hunter2-kept-to-itself"


def refused(**environment: str) -> str:
    with pytest.raises(BadSetting) as caught:
        Settings.load(environment={f"TILERUMMY_{name.upper()}": value for name, value in environment.items()})
    message = str(caught.value)
    assert "\n" not in message
    assert SECRET not in message
    return message


def test_defaults(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    settings = Settings.load(environment={})
    assert (settings.host, settings.port, settings.bus, settings.rate_limits) == ("127.0.0.1", 8000, None, True)
    assert settings.db.startswith("sqlite:///")
    assert settings.db.endswith("tilerummy.db")
    assert str(data_folder()) in settings.db
    assert settings.is_sqlite


def test_the_nearer_source_wins(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text('port = 1001\nhost = "0.0.0.0"\nbot_pace = 3\nallowed_origins = ["https://a.example"]\n')
    environment = {"TILERUMMY_PORT": "1002", "TILERUMMY_CONFIG": str(file)}
    assert Settings.load(environment=environment).port == 1002
    assert Settings.load(environment=environment, port=1003).port == 1003
    assert Settings.load(environment=environment, port=None).host == "0.0.0.0"
    settings = Settings.load(config=file, environment={})
    assert (settings.port, settings.bot_pace, settings.allowed_origins) == (1001, 3.0, ("https://a.example",))


def test_the_file_that_lies_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert Settings.load(environment={}).port == 8000
    Path("tilerummy.toml").write_text("port = 1004\n")
    assert Settings.load(environment={}).port == 1004


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("port", "many", "a whole number is expected"),
        ("port", "70000", "at most 65535 is expected"),
        ("port", "-1", "at least 0 is expected"),
        ("bot_pace", "soon", "a number is expected"),
        ("bot_pace", "nan", "a number is expected"),
        ("rate_limits", "perhaps", "true or false is expected"),
        ("log_format", "xml", "'text' or 'json' is expected"),
        ("trusted_proxies", "99", "at most 10 is expected"),
        ("db", f"mysql://root:{SECRET}@host/db", "sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME is expected"),
        ("db", "sqlite://file.db", "three slashes come before a file's name: sqlite:///tilerummy.db"),
        ("db", "games.db", "sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME is expected"),
        ("bus", f"amqp://u:{SECRET}@host", "redis://HOST:PORT is expected"),
        ("public_url", "play.example.org", "an address such as https://play.example.org is expected"),
        ("public_url", "https://a.example/games", "an address without a path is expected: the page is served at /"),
        (
            "allowed_origins",
            "https://*.example",
            "addresses such as https://play.example.org are expected, with commas",
        ),
        ("allowed_origins", "null", "addresses such as"),
    ],
)
def test_bad_settings_are_named(name: str, value: str, reason: str) -> None:
    assert refused(**{name: value}).startswith(f"{name} (TILERUMMY_{name.upper()}): {reason}")


@pytest.mark.parametrize(
    "url",
    [
        f"postgresql://me:x@127.0.0.1:{SECRET}/x",
        f"postgresql://me:{SECRET}@127.0.0.1:99999/x",
        f"postgresql://me:x@{SECRET}@127.0.0.1/x",
        f"postgresql://me:x@y/{SECRET}@127.0.0.1/x",
        f"postgresql://me@host/x?ssl={SECRET}",
        f"postgresql://me@host/x?sslmode={SECRET}",
        f"postgresql://me@host/x?target_session_attrs={SECRET}",
        f"postgresql://me@host/x?port={SECRET}",
        f"postgresql://me@/x?host=a:1&host=b:99999&password={SECRET}",
        f"postgresql://me@host/x?password=x&password={SECRET}",
        f"postgresql://me@host/x?{SECRET}=x",
        f"sqlite:///games.db?timeout={SECRET}",
        f"sqlite:///games.db?{SECRET}=x",
    ],
)
def test_bad_databases_are_not_repeated(url: str) -> None:
    assert refused(db=url).startswith("db (TILERUMMY_DB): ")


@pytest.mark.parametrize(
    "url",
    [
        f"redis://:{SECRET}/x@127.0.0.1:6379/0",
        f"redis://:6379/{SECRET}@127.0.0.1:6379/0",
        f"redis://:6379#{SECRET}@127.0.0.1:6379/0",
        f"redis://:6379?{SECRET}@127.0.0.1:6379/0",
        f"redis://:{SECRET}@127.0.0.1:99999/0",
        f"redis://127.0.0.1:{SECRET}",
        f"redis://127.0.0.1/{SECRET}",
        f"redis://[{SECRET}",
        f"redis://127.0.0.1?socket_timeout={SECRET}",
        f"redis://127.0.0.1?db={SECRET}",
        "redis://127.0.0.1?db=-1",
        f"redis://127.0.0.1?{SECRET}=abc",
        f"redis://127.0.0.1?{SECRET}",
        f"redis://127.0.0.1?ssl_ca_certs={SECRET}",
        f"rediss://127.0.0.1?ssl_cert_reqs={SECRET}",
        f"unix://:6379/{SECRET}@/run/redis.sock",
        "unix://",
        f"redis:{SECRET}",
    ],
)
def test_bad_buses_are_not_repeated(url: str) -> None:
    assert refused(bus=url).startswith("bus (TILERUMMY_BUS): redis://")


@pytest.mark.parametrize(
    ("name", "url"),
    [
        ("db", "postgres://me:a%40b@[::1]:5432/games?sslmode=verify-full&target_session_attrs=read-write"),
        ("db", "postgresql://me@/games?host=a:1&host=b:2"),
        ("db", "postgresql://me@/games?host=/run/postgresql"),
        ("db", "sqlite:////home/me@host/a:b.db"),
        ("bus", "redis://"),
        ("bus", "redis://me:a%40b@[::1]:6379/3?client_name=tables"),
        ("bus", "rediss://bus?db=2&ssl_ca_certs=/etc/bus.pem&ssl_cert_reqs=required"),
        ("bus", "unix://me:x@/run/redis.sock?db=1"),
    ],
)
def test_what_an_address_may_say(name: str, url: str) -> None:
    assert getattr(Settings.load(environment={f"TILERUMMY_{name.upper()}": url}), name) == url


def test_bad_files(tmp_path: Path) -> None:
    file = tmp_path / "bad.toml"
    for written, reason in (
        ("prot = 8000\n", "prot (bad.toml): no setting is called so; port is"),
        ("colour = 'red'\n", "colour (bad.toml): no setting is called so"),
        ("port = 'x'\n", "port (bad.toml): a whole number is expected"),
        ("port = \n", f"config ({file}): no TOML"),
        ("\x00", f"config ({file}): no TOML"),
        (f"db = '{SECRET}'\n", "db (bad.toml): sqlite:///FILE or"),
    ):
        file.write_text(written)
        with pytest.raises(BadSetting) as caught:
            Settings.load(config=file, environment={})
        assert str(caught.value).startswith(reason)
        assert SECRET not in str(caught.value)
    with pytest.raises(BadSetting, match="No such file"):
        Settings.load(config=tmp_path / "none.toml", environment={})
    with pytest.raises(BadSetting, match="port: a whole number is expected"):
        Settings.load(environment={}, port="x")


def test_unknown_names_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    assert refused(prot="8000") == "prot (TILERUMMY_PROT): no setting is called so; port is"
    assert refused(max_room=SECRET) == "max_room (TILERUMMY_MAX_ROOM): no setting is called so; max_rooms is"
    assert refused(zzz="") == "zzz (TILERUMMY_ZZZ): no setting is called so"
    others = {"TILERUMMY_TRACEBACK": "1", "TILERUMMY_SERVER": "http://localhost:8000", "TILERUMMY_CONFIG": ""}
    assert Settings.load(environment={**others, "TILERUMMIES": "2", "PORT": "x"}).port == 8000


def test_origins_are_compared_as_browsers_write_them() -> None:
    written = "https://Play.example:443, http://localhost:5173"
    settings = Settings.load(environment={"TILERUMMY_ALLOWED_ORIGINS": written})
    assert settings.allowed_origins == ("https://play.example", "http://localhost:5173")
    assert Settings(public_url="https://a.example/").public_url == "https://a.example"


def test_passwords_are_never_shown() -> None:
    settings = Settings(db=f"postgresql://me:{SECRET}@host/db", bus=f"redis://:{SECRET}@host:6379/0")
    for shown in (repr(settings), str(settings), str(settings.shown())):
        assert SECRET not in shown
    assert hidden(settings.db) == "postgresql://me:***@host/db"
    assert hidden(settings.bus) == "redis://:***@host:6379/0"
    assert hidden(None) is None
    for url in (
        f"postgresql://me@host/db?password={SECRET}",
        f"postgresql://me:{SECRET}@host/db?sslmode=require&sslpassword={SECRET}",
        f"postgresql://me:a/{SECRET}@host/db",
        f"postgresql://me:a@b?{SECRET}@host/db",
        f"unix:///run/redis.sock?password={SECRET}",
        f"redis://:a/{SECRET}@host:6379/0",
    ):
        shown = hidden(url) or ""
        assert "***" in shown
        assert SECRET not in shown
    assert hidden("sqlite:////home/me@host/a:b.db") == "sqlite:////home/me@host/a:b.db"
    assert not settings.is_sqlite
