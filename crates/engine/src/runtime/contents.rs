//! What the file systems of images hold, as far as somebody looks: the usual directories, the names of programs, who is
//! in /etc/passwd, which distribution it is, and what belongs to well-known servers. Tables are shared; a container's
//! tree is made when it starts.
//!
//! Not simulated: libraries, documentation, package data bases; programs are empty files.

use super::image::Image;
use super::programs;
use crate::base::Time;
use crate::process::{Files, Node};

/// Directories of all images that have a shell.
const EVERYWHERE: &str = "bin dev etc home lib proc root sys tmp usr/bin usr/sbin var";
const DEBIAN: &str = "boot dev/pts dev/shm etc/apt etc/default home media mnt opt proc root run run/lock srv sys tmp usr/bin \
                      usr/games usr/include usr/lib usr/lib64 usr/local/bin usr/local/etc usr/local/lib usr/local/sbin \
                      usr/local/share usr/sbin usr/share usr/src var/backups var/cache var/lib var/local var/log var/mail \
                      var/opt var/spool var/tmp";
const ALPINE: &str = "etc/apk lib/apk media mnt opt run sbin srv usr/lib usr/local/bin usr/share var/cache var/lib var/log \
                      var/tmp var/spool";
const BUSYBOX: &str = "lib64 usr/share var/spool var/www";

/// Programs a Debian image keeps in /usr/bin.
const DEBIAN_PROGRAMS: &str = "[ apt apt-get arch awk b2sum base32 base64 basename bash cat chage chgrp chmod chown cksum clear \
     cmp comm cp csplit cut dash date dd df diff dir dirname dpkg du echo egrep env expand expr factor false fgrep find \
     flock fmt fold free getconf getent grep groups gzip gunzip head hostid hostname iconv id install join kill last ldd \
     link ln locale login logname ls lsblk md5sum mkdir mkfifo mknod mktemp more mount mv nice nl nohup nproc numfmt od \
     passwd paste pathchk perl pidof pr printenv printf ptx pwd readlink realpath rev rm rmdir script sed seq sh sha1sum \
     sha256sum sha512sum shred shuf sleep sort split stat stdbuf stty su sum sync tac tail tar tee test timeout touch tr \
     true truncate tsort tty umount uname unexpand uniq unlink uptime users vdir wc which who whoami xargs yes zcat";

/// Applets that go on until they are told to end; of all others one may wait for the end.
const LASTING: &str = "acpid crond dnsd fakeidentd ftpd getty httpd ifplugd inetd init klogd less linuxrc login more ntpd \
                       rdate runsv runsvdir sh sulogin svlogd syslogd telnetd tftpd top udhcpc udhcpd vi watch watchdog zcip";

/// A small tool that does its work and ends.
pub fn is_tool(name: &str) -> bool {
    let has = |list: &str| list.split_whitespace().any(|word| word == name);
    has(APPLETS) && !has(LASTING)
}

/// The applets of busybox; alpine has most of them too.
const APPLETS: &str = "[ [[ acpid add-shell addgroup adduser adjtimex ar arch arp arping ascii ash awk base32 base64 basename \
     bc beep blkdiscard blkid blockdev bootchartd brctl bunzip2 busybox bzcat bzip2 cal cat chat chattr chgrp chmod chown \
     chpasswd chpst chroot chrt chvt cksum clear cmp comm conspy cp cpio crc32 crond crontab cryptpw cttyhack cut date dc dd \
     deallocvt delgroup deluser depmod devmem df dhcprelay diff dirname dmesg dnsd dnsdomainname dos2unix dpkg dpkg-deb du \
     dumpkmap dumpleases echo ed egrep eject env envdir envuidgid ether-wake expand expr factor fakeidentd fallocate false \
     fatattr fbset fbsplash fdflush fdformat fdisk fgconsole fgrep find findfs flock fold free freeramdisk fsck fsck.minix \
     fsfreeze fstrim fsync ftpd ftpget ftpput fuser getfattr getopt getty grep groups gunzip gzip halt hd hdparm head hexdump \
     hexedit hostid hostname httpd hush hwclock i2cdetect i2cdump i2cget i2cset i2ctransfer id ifconfig ifdown ifenslave \
     ifplugd ifup inetd init inotifyd insmod install ionice iostat ip ipaddr ipcalc ipcrm ipcs iplink ipneigh iproute iprule \
     iptunnel kbd_mode kill killall killall5 klogd last less link linux32 linux64 linuxrc ln loadfont loadkmap logger login \
     logname logread losetup lpd lpq lpr ls lsattr lsmod lsof lspci lsscsi lsusb lzcat lzma lzop makedevs makemime man md5sum \
     mdev mesg microcom mim mkdir mkdosfs mke2fs mkfifo mkfs.ext2 mkfs.minix mkfs.vfat mknod mkpasswd mkswap mktemp modinfo \
     modprobe more mount mountpoint mpstat mt mv nameif nanddump nandwrite nbd-client nc netstat nice nl nmeter nohup nologin \
     nproc nsenter nslookup ntpd od openvt partprobe passwd paste patch pgrep pidof ping ping6 pipe_progress pivot_root pkill \
     pmap popmaildir poweroff powertop printenv printf ps pscan pstree pwd pwdx raidautorun rdate rdev readahead readlink \
     readprofile realpath reboot reformime remove-shell renice reset resize resume rev rm rmdir rmmod route rpm rpm2cpio \
     rtcwake run-init run-parts runlevel runsv runsvdir rx script scriptreplay sed seedrng sendmail seq setarch setconsole \
     setfattr setfont setkeycodes setlogcons setpriv setserial setsid setuidgid sh sha1sum sha256sum sha3sum sha512sum \
     showkey shred shuf slattach sleep smemcap softlimit sort split ssl_client start-stop-daemon stat strings stty su sulogin \
     sum sv svc svlogd svok swapoff swapon switch_root sync sysctl syslogd tac tail tar taskset tc tcpsvd tee telnet telnetd \
     test tftp tftpd time timeout top touch tr traceroute traceroute6 tree true truncate ts tsort tty ttysize tunctl \
     ubiattach ubidetach ubimkvol ubirename ubirmvol ubirsvol ubiupdatevol udhcpc udhcpc6 udhcpd udpsvd uevent umount uname \
     unexpand uniq unix2dos unlink unlzma unshare unxz unzip uptime users usleep uudecode uuencode vconfig vi vlock volname w \
     wall watch watchdog wc wget which who whoami whois xargs xxd xz xzcat yes zcat zcip";

const NGINX_CONF: &str = "\nuser  nginx;\nworker_processes  auto;\n\nerror_log  /var/log/nginx/error.log notice;\npid        \
     /run/nginx.pid;\n\n\nevents {\n    worker_connections  1024;\n}\n\n\nhttp {\n    include       \
     /etc/nginx/mime.types;\n    default_type  application/octet-stream;\n\n    log_format  main  '$remote_addr - \
     $remote_user [$time_local] \"$request\" '\n                      '$status $body_bytes_sent \"$http_referer\" '\n                      \
     '\"$http_user_agent\" \"$http_x_forwarded_for\"';\n\n    access_log  /var/log/nginx/access.log  main;\n\n    sendfile        \
     on;\n    #tcp_nopush     on;\n\n    keepalive_timeout  65;\n\n    #gzip  on;\n\n    include /etc/nginx/conf.d/*.conf;\n}\n";

const NGINX_DEFAULT: &str = "server {\n    listen       80;\nLISTEN6    server_name  localhost;\n\n    #access_log  \
     /var/log/nginx/host.access.log  main;\n\n    location / {\n        root   /usr/share/nginx/html;\n        index  \
     index.html index.htm;\n    }\n\n    #error_page  404              /404.html;\n\n    # redirect server error pages to \
     the static page /50x.html\n    #\n    error_page   500 502 503 504  /50x.html;\n    location = /50x.html {\n        \
     root   /usr/share/nginx/html;\n    }\n\n    # proxy the PHP scripts to Apache listening on 127.0.0.1:80\n    #\n    \
     #location ~ \\.php$ {\n    #    proxy_pass   http://127.0.0.1;\n    #}\n\n    # pass the PHP scripts to FastCGI server \
     listening on 127.0.0.1:9000\n    #\n    #location ~ \\.php$ {\n    #    root           html;\n    #    fastcgi_pass   \
     127.0.0.1:9000;\n    #    fastcgi_index  index.php;\n    #    fastcgi_param  SCRIPT_FILENAME  \
     /scripts$fastcgi_script_name;\n    #    include        fastcgi_params;\n    #}\n\n    # deny access to .htaccess \
     files, if Apache's document root\n    # concurs with nginx's one\n    #\n    #location ~ /\\.ht {\n    #    deny  \
     all;\n    #}\n}\n\n";

const NGINX_50X: &str = "<!DOCTYPE html>\n<html>\n<head>\n<title>Error</title>\n<style>\nhtml { color-scheme: light dark; \
     }\nbody { width: 35em; margin: 0 auto;\nfont-family: Tahoma, Verdana, Arial, sans-serif; }\n</style>\n</head>\n<body>\n\
     <h1>An error occurred.</h1>\n<p>Sorry, the page you are looking for is currently unavailable.<br/>\nPlease try again \
     later.</p>\n<p>If you are the system administrator of this resource then you should check\nthe error log for \
     details.</p>\n<p><em>Faithfully yours, nginx.</em></p>\n</body>\n</html>\n";

/// The scripts nginx's entry point runs.
const NGINX_SCRIPTS: [&str; 4] = [
    "10-listen-on-ipv6-by-default.sh",
    "15-local-resolvers.envsh",
    "20-envsubst-on-templates.sh",
    "30-tune-worker-processes.sh",
];

/// The page Apache httpd shows before anybody puts one there, and the one before 2.4.64.
const HTTPD_INDEX: &str = "<!DOCTYPE HTML PUBLIC \"-//W3C//DTD HTML 4.01//EN\" \"http://www.w3.org/TR/html4/strict.dtd\">\n\
     <html>\n<head>\n<title>It works! Apache httpd</title>\n</head>\n<body>\n<p>It works!</p>\n</body>\n</html>\n";
const HTTPD_OLD_INDEX: &str = "<html><body><h1>It works!</h1></body></html>\n";

/// Variables an image sets beside PATH.
pub fn env(image: &Image) -> Vec<(String, String)> {
    let tag = image.reference.tag.as_str();
    let number = tag.split('-').next().unwrap_or(tag);
    let version = |newest: &str| {
        let known = number.matches('.').count() == 2;
        if known { number.to_string() } else { newest.to_string() }
    };
    let set = |list: &[(&str, &str)]| list.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    match image.reference.short() {
        "nginx" => vec![("NGINX_VERSION".into(), image.version())],
        "python" => vec![
            ("LANG".into(), "C.UTF-8".into()),
            ("PYTHON_VERSION".into(), programs::version_of(image, "python").unwrap_or_default()),
        ],
        "node" => vec![
            ("NODE_VERSION".into(), programs::version_of(image, "node").unwrap_or_default()),
            ("YARN_VERSION".into(), "1.22.22".into()),
        ],
        "golang" => vec![
            ("GOLANG_VERSION".into(), programs::version_of(image, "go").unwrap_or_default()),
            ("GOTOOLCHAIN".into(), "local".into()),
            ("GOPATH".into(), "/go".into()),
        ],
        "httpd" => {
            vec![("HTTPD_PREFIX".into(), "/usr/local/apache2".into()), ("HTTPD_VERSION".into(), version("2.4.65"))]
        }
        "redis" => vec![("REDIS_VERSION".into(), version("8.2.1"))],
        "postgres" => {
            let major = match number.split('.').next().unwrap_or_default() {
                major if major.starts_with(|c: char| c.is_ascii_digit()) => major.to_string(),
                _ => "18".into(),
            };
            let new = major.parse::<u32>().is_ok_and(|major| major >= 18);
            let data =
                if new { format!("/var/lib/postgresql/{major}/docker") } else { "/var/lib/postgresql/data".into() };
            vec![("LANG".into(), "en_US.utf8".into()), ("PG_MAJOR".into(), major), ("PGDATA".into(), data)]
        }
        "mysql" => vec![("MYSQL_VERSION".into(), version("9.5.0")), ("GOSU_VERSION".into(), "1.19".into())],
        "mariadb" => set(&[("LANG", "C.UTF-8"), ("GOSU_VERSION", "1.19")]),
        "mongo" => vec![("MONGO_VERSION".into(), version("8.2.2")), ("HOME".into(), "/data/db".into())],
        "php" | "wordpress" => set(&[("PHP_INI_DIR", "/usr/local/etc/php")]),
        "eclipse-temurin" => set(&[("JAVA_HOME", "/opt/java/openjdk"), ("LANG", "en_US.UTF-8")]),
        _ => Vec::new(),
    }
}

/// Which distribution an image is made from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Base {
    Debian(&'static str, &'static str, &'static str),
    Ubuntu(&'static str, &'static str),
    Alpine,
    Busybox,
    Nothing,
}

fn base(image: &Image) -> Base {
    let tag = image.reference.tag.as_str();
    let trixie = Base::Debian("13", "trixie", "13.2");
    let bookworm = Base::Debian("12", "bookworm", "12.12");
    let bullseye = Base::Debian("11", "bullseye", "11.11");
    match image.base.as_str() {
        "busybox" if programs::is_alpine(image) => Base::Alpine,
        "busybox" => Base::Busybox,
        "debian" if image.reference.short() == "ubuntu" => match tag {
            t if t.starts_with("22") || t.starts_with("jammy") => Base::Ubuntu("22.04", "Jammy Jellyfish"),
            t if t.starts_with("20") || t.starts_with("focal") => Base::Ubuntu("20.04", "Focal Fossa"),
            _ => Base::Ubuntu("24.04", "Noble Numbat"),
        },
        "debian" if tag.contains("bookworm") => bookworm,
        "debian" if tag.contains("bullseye") => bullseye,
        "debian" if image.reference.short() == "debian" => match tag {
            t if t.starts_with("12") => bookworm,
            t if t.starts_with("11") => bullseye,
            _ => trixie,
        },
        "debian" if image.reference.short() == "nginx" => {
            match image.version().split('.').nth(1).and_then(|n| n.parse().ok()) {
                Some(..=20u32) => Base::Debian("10", "buster", "10.13"),
                Some(..=23) => bullseye,
                Some(..=28) => bookworm,
                Some(29) if image.version() == "1.29.0" => bookworm,
                _ => trixie,
            }
        }
        "debian" => trixie,
        _ => Base::Nothing,
    }
}

/// Puts an image's files into a tree.
pub fn fill(image: &Image, files: &mut Files) {
    let start = Time::default();
    let base = base(image);
    let mut directories = |list: &str| {
        for path in list.split_whitespace() {
            let _ = files.make_directories(start, "/", &format!("/{path}"));
        }
    };
    match base {
        Base::Debian(..) | Base::Ubuntu(..) => directories(DEBIAN),
        Base::Alpine => [EVERYWHERE, ALPINE].map(&mut directories).into_iter().collect(),
        Base::Busybox => [EVERYWHERE, BUSYBOX].map(&mut directories).into_iter().collect(),
        Base::Nothing => directories("dev etc proc sys"),
    }
    match base {
        Base::Debian(..) | Base::Ubuntu(..) => {
            for name in ["bin", "sbin", "lib", "lib64"] {
                let _ = files.link("/", &format!("/{name}"), &format!("usr/{name}"));
            }
            let _ = files.link("/", "/var/run", "/run");
            names(files, "/usr/bin", DEBIAN_PROGRAMS, image);
        }
        Base::Alpine => {
            let _ = files.link("/", "/var/run", "../run");
            names(files, "/bin", APPLETS, image);
        }
        Base::Busybox => names(files, "/bin", APPLETS, image),
        Base::Nothing => {}
    }
    for (path, text) in distribution(base) {
        let _ = files.write(start, "/", path, text.as_bytes());
    }
    accounts(image, base, files);
    let mut put = |path: &str, text: &str, mode: u32| {
        if let Some((directory, _)) = path.rsplit_once('/') {
            let _ = files.make_directories(start, "/", directory);
        }
        let _ = files.write(start, "/", path, text.as_bytes());
        let _ = files.set_mode("/", path, mode);
    };
    match image.reference.short() {
        "nginx" | "nginxinc/nginx-unprivileged" | "nginx-slim" => {
            put("/etc/nginx/nginx.conf", NGINX_CONF, 0o644);
            let listen6 = if image.entrypoint.is_empty() { "" } else { "    listen  [::]:80;\n" };
            let port = if image.ports.contains(&8080) { "8080" } else { "80" };
            let text = NGINX_DEFAULT.replace("LISTEN6", listen6).replace(" 80;", &format!(" {port};"));
            put("/etc/nginx/conf.d/default.conf", &text.replace("]:80;", &format!("]:{port};")), 0o644);
            put("/etc/nginx/mime.types", "\ntypes {\n    text/html  html htm shtml;\n    text/css   css;\n}\n", 0o644);
            for name in ["fastcgi_params", "scgi_params", "uwsgi_params"] {
                put(&format!("/etc/nginx/{name}"), "\n", 0o644);
            }
            put("/usr/share/nginx/html/index.html", super::server::WELCOME, 0o644);
            put("/usr/share/nginx/html/50x.html", NGINX_50X, 0o644);
            if !image.entrypoint.is_empty() {
                NGINX_SCRIPTS.iter().for_each(|name| put(&format!("/docker-entrypoint.d/{name}"), "", 0o755));
                put("/docker-entrypoint.sh", "", 0o755);
            }
            put("/usr/sbin/nginx", "", 0o755);
            let _ = files.make_directories(start, "/", "/var/log/nginx");
            let _ = files.make_directories(start, "/", "/var/cache/nginx");
            let _ = files.make_directories(start, "/", "/usr/lib/nginx/modules");
            let _ = files.link("/", "/etc/nginx/modules", "/usr/lib/nginx/modules");
        }
        "httpd" => {
            let patch = image.reference.tag.strip_prefix("2.4.").and_then(|rest| rest.get(..2)?.parse::<u32>().ok());
            let page = if patch.is_some_and(|patch| patch < 64) { HTTPD_OLD_INDEX } else { HTTPD_INDEX };
            put("/usr/local/apache2/htdocs/index.html", page, 0o644);
            put("/usr/local/apache2/conf/httpd.conf", "Listen 80\nDocumentRoot \"/usr/local/apache2/htdocs\"\n", 0o644);
        }
        "redis" | "mongo" | "valkey/valkey" => {
            let _ = files.make_directories(
                start,
                "/",
                if image.reference.short() == "mongo" { "/data/db" } else { "/data" },
            );
        }
        "postgres" => {
            let _ = files.make_directories(start, "/", "/var/lib/postgresql/data");
            let _ = files.make_directories(start, "/", "/docker-entrypoint-initdb.d");
        }
        "mysql" | "mariadb" => {
            let _ = files.make_directories(start, "/", "/var/lib/mysql");
            let _ = files.make_directories(start, "/", "/docker-entrypoint-initdb.d");
        }
        "php" | "wordpress" => {
            let _ = files.make_directories(start, "/", "/var/www/html");
        }
        "golang" => {
            let _ = files.make_directories(start, "/", "/go/src");
            let _ = files.make_directories(start, "/", "/go/bin");
        }
        _ => {}
    }
}

/// Empty files that stand for programs.
fn names(files: &mut Files, directory: &str, list: &str, image: &Image) {
    let empty = std::sync::Arc::new(Vec::new());
    for name in list.split_whitespace().filter(|name| !programs::lacks(image, name)) {
        let content = empty.clone();
        let node = Node::File { content, modified: Time::default(), mode: 0o755, read_only: false };
        files.mount(&format!("{directory}/{name}"), node);
    }
}

fn distribution(base: Base) -> Vec<(&'static str, String)> {
    match base {
        Base::Debian(number, name, full) => vec![
            (
                "/etc/os-release",
                format!(
                    "PRETTY_NAME=\"Debian GNU/Linux {number} ({name})\"\nNAME=\"Debian GNU/Linux\"\nVERSION_ID=\"{number}\"\n\
                     VERSION=\"{number} ({name})\"\nVERSION_CODENAME={name}\nID=debian\n\
                     HOME_URL=\"https://www.debian.org/\"\nSUPPORT_URL=\"https://www.debian.org/support\"\n\
                     BUG_REPORT_URL=\"https://bugs.debian.org/\"\n"
                ),
            ),
            ("/etc/debian_version", format!("{full}\n")),
        ],
        Base::Ubuntu(number, name) => {
            let code = name.split(' ').next().unwrap_or_default().to_lowercase();
            vec![(
                "/etc/os-release",
                format!(
                    "PRETTY_NAME=\"Ubuntu {number} LTS\"\nNAME=\"Ubuntu\"\nVERSION_ID=\"{number}\"\nVERSION=\"{number} LTS \
                     ({name})\"\nVERSION_CODENAME={code}\nID=ubuntu\nID_LIKE=debian\nHOME_URL=\"https://www.ubuntu.com/\"\n\
                     SUPPORT_URL=\"https://help.ubuntu.com/\"\nBUG_REPORT_URL=\"https://bugs.launchpad.net/ubuntu/\"\n\
                     UBUNTU_CODENAME={code}\n"
                ),
            )]
        }
        Base::Alpine => vec![
            (
                "/etc/os-release",
                "NAME=\"Alpine Linux\"\nID=alpine\nVERSION_ID=3.22.2\nPRETTY_NAME=\"Alpine Linux v3.22\"\n\
                 HOME_URL=\"https://alpinelinux.org/\"\nBUG_REPORT_URL=\"https://gitlab.alpinelinux.org/alpine/aports/-/issues\"\n"
                    .into(),
            ),
            ("/etc/alpine-release", "3.22.2\n".into()),
        ],
        Base::Busybox | Base::Nothing => Vec::new(),
    }
}

/// /etc/passwd and /etc/group.
fn accounts(image: &Image, base: Base, files: &mut Files) {
    let shell = if matches!(base, Base::Debian(..) | Base::Ubuntu(..)) { "/bin/bash" } else { "/bin/sh" };
    let mut passwd = format!("root:x:0:0:root:/root:{shell}\n");
    let mut group = match base {
        Base::Alpine => "root:x:0:root\nbin:x:1:root,bin,daemon\ndaemon:x:2:root,bin,daemon\nsys:x:3:root,bin\n\
                         adm:x:4:root,daemon\ndisk:x:6:root\nwheel:x:10:root\nfloppy:x:11:root\ndialout:x:20:root\n\
                         tape:x:26:root\nvideo:x:27:root\n"
            .to_string(),
        Base::Busybox => "root:x:0:\ndaemon:x:1:\n".into(),
        _ => "root:x:0:\ndaemon:x:1:\n".into(),
    };
    let mut own: Vec<(String, u32)> = vec![("daemon".into(), 1), ("nobody".into(), 65_534)];
    own.push((image.user_name.to_string(), image.user));
    own.push(match image.reference.short() {
        "nginx" => ("nginx".into(), 101),
        "redis" => ("redis".into(), 999),
        "postgres" => ("postgres".into(), if base == Base::Alpine { 70 } else { 999 }),
        "mysql" | "mariadb" => ("mysql".into(), 999),
        "mongo" => ("mongodb".into(), 999),
        "node" => ("node".into(), 1000),
        "ubuntu" => ("ubuntu".into(), 1000),
        _ => ("www-data".into(), if base == Base::Alpine { 82 } else { 33 }),
    });
    for (at, (name, id)) in own.iter().enumerate() {
        if *id == 0 || own.iter().take(at).any(|(known, _)| known == name) {
            continue;
        }
        let home = if *id >= 1000 && *id < 60_000 { format!("/home/{name}") } else { "/nonexistent".into() };
        let shell = if *id == 1000 { shell } else { "/usr/sbin/nologin" };
        passwd.push_str(&format!("{name}:x:{id}:{id}:{name}:{home}:{shell}\n"));
        if !group.contains(&format!("{name}:x:")) {
            let name = if name == "nobody" && shell != "/bin/sh" { "nogroup" } else { name };
            group.push_str(&format!("{name}:x:{id}:\n"));
        }
    }
    let _ = files.write(Time::default(), "/", "/etc/passwd", passwd.as_bytes());
    let _ = files.write(Time::default(), "/", "/etc/group", group.as_bytes());
}
