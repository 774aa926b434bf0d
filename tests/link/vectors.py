"""Which test vectors does RFC 8439 have? All of section 2 and appendix A, by section."""

ZERO = bytes(32)
LAST = bytes(31) + b"\1"
COUNTING = bytes(range(32))
HIGH = bytes(range(0x80, 0xA0))
CARROLL = bytes.fromhex("1c9240a5eb55d38af333888604f6b5f0473917c1402b80099dca5cbc207075c0")
TWO = bytes(11) + b"\2"
SUNSCREEN = (
    b"Ladies and Gentlemen of the class of '99: If I could offer you only one tip for "
    b"the future, sunscreen would be it."
)
SUBMISSION = (
    b"Any submission to the IETF intended by the Contributor for publication as all or part of an "
    b"IETF Internet-Draft or "
    b'RFC and any statement made within the context of an IETF activity is considered an "IETF Contribution". Such '
    b"statements include oral statements in IETF sessions, as well as written and electronic communications "
    b"made at any "
    b"time or place, which are addressed to"
)
BRILLIG = (
    b"'Twas brillig, and the slithy toves\nDid gyre and gimble in the wabe:\n"
    b"All mimsy were the borogoves,\nAnd the mome raths outgrabe."
)
DRAFTS = (
    b"Internet-Drafts are draft documents valid for a maximum of six months and may be updated, replaced, or "
    b"obsoleted by "
    b"other documents at any time. It is inappropriate to use Internet-Drafts as reference material or to "
    b"cite them other "
    b"than as /\xe2\x80\x9cwork in progress./\xe2\x80\x9d"
)

STREAMS = {  # key, nonce, number of the first block, plain text, cipher text
    "2.3.2": (
        COUNTING,
        "000000090000004a00000000",
        1,
        bytes(64),
        "10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e"
        "d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e",
    ),
    "2.4.2": (
        COUNTING,
        "000000000000004a00000000",
        1,
        SUNSCREEN,
        "6e2e359a2568f98041ba0728dd0d6981e97e7aec1d4360c20a27afccfd9fae0bf91b65c5524733ab8f593dabcd62b357"
        "1639d624e65152ab8f530c359f0861d807ca0dbf500d6a6156a38e088a22b65e52bc514d16ccf806818ce91ab7793736"
        "5af90bbf74a35be6b40b8eedf2785e42874d",
    ),
    "2.6.2": (
        HIGH,
        "000000000001020304050607",
        0,
        ZERO,
        "8ad5a08b905f81cc815040274ab29471a833b637e3fd0da508dbb8e2fdd1a646",
    ),
    "A.1 1": (
        ZERO,
        "00" * 12,
        0,
        bytes(64),
        "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"
        "da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586",
    ),
    "A.1 2": (
        ZERO,
        "00" * 12,
        1,
        bytes(64),
        "9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed"
        "29b721769ce64e43d57133b074d839d531ed1f28510afb45ace10a1f4b794d6f",
    ),
    "A.1 3": (
        LAST,
        "00" * 12,
        1,
        bytes(64),
        "3aeb5224ecf849929b9d828db1ced4dd832025e8018b8160b82284f3c949aa5a"
        "8eca00bbb4a73bdad192b5c42f73f2fd4e273644c8b36125a64addeb006c13a0",
    ),
    "A.1 4": (
        b"\0\xff" + bytes(30),
        "00" * 12,
        2,
        bytes(64),
        "72d54dfbf12ec44b362692df94137f328fea8da73990265ec1bbbea1ae9af0ca"
        "13b25aa26cb4a648cb9b9d1be65b2c0924a66c54d545ec1b7374f4872e99f096",
    ),
    "A.1 5": (
        ZERO,
        TWO.hex(),
        0,
        bytes(64),
        "c2c64d378cd536374ae204b9ef933fcd1a8b2288b3dfa49672ab765b54ee27c7"
        "8a970e0e955c14f3a88e741b97c286f75f8fc299e8148362fa198a39531bed6d",
    ),
    "A.2 2": (
        LAST,
        TWO.hex(),
        1,
        SUBMISSION,
        "a3fbf07df3fa2fde4f376ca23e82737041605d9f4f4f57bd8cff2c1d4b7955ec2a97948bd3722915c8f3d337f7d37005"
        "0e9e96d647b7c39f56e031ca5eb6250d4042e02785ececfa4b4bb5e8ead0440e20b6e8db09d881a7c6132f420e527950"
        "42bdfa7773d8a9051447b3291ce1411c680465552aa6c405b7764d5e87bea85ad00f8449ed8f72d0d662ab052691ca66"
        "424bc86d2df80ea41f43abf937d3259dc4b2d0dfb48a6c9139ddd7f76966e928e635553ba76c5c879d7b35d49eb2e62b"
        "0871cdac638939e25e8a1e0ef9d5280fa8ca328b351c3c765989cbcf3daa8b6ccc3aaf9f3979c92b3720fc88dc95ed84"
        "a1be059c6499b9fda236e7e818b04b0bc39c1e876b193bfe5569753f88128cc08aaa9b63d1a16f80ef2554d7189c411f"
        "5869ca52c5b83fa36ff216b9c1d30062bebcfd2dc5bce0911934fda79a86f6e698ced759c3ff9b6477338f3da4f9cd85"
        "14ea9982ccafb341b2384dd902f3d1ab7ac61dd29c6f21ba5b862f3730e37cfdc4fd806c22f221",
    ),
    "A.2 3": (
        CARROLL,
        TWO.hex(),
        42,
        BRILLIG,
        "62e6347f95ed87a45ffae7426f27a1df5fb69110044c0d73118effa95b01e5cf166d3df2d721caf9b21e5fb14c616871"
        "fd84c54f9d65b283196c7fe4f60553ebf39c6402c42234e32a356b3e764312a61a5532055716ead6962568f87d3f3f77"
        "04c6a8d1bcd1bf4d50d6154b6da731b187b58dfd728afa36757a797ac188d1",
    ),
    "A.4 2": (LAST, TWO.hex(), 0, ZERO, "ecfa254f845f647473d3cb140da9e87606cb33066c447b87bc2666dde3fbb739"),
    "A.4 3": (CARROLL, TWO.hex(), 0, ZERO, "965e3bc6f9ec7ed9560808f4d229f94b137ff275ca9b3fcbdd59deaad23310ae"),
}

ONE, DOUBLE, ELEVEN = "01" + "00" * 15, "02" + "00" * 15, "01000000000000000400000000000000"
NONE, ALL = "00" * 16, "ff" * 16
STRANGE = "e33594d7505e43b900000000000000003394d7505e4379cd0100000000000000" + NONE

TAGS = {  # both halves of the one-time key, what is authenticated, the tag
    "2.5.2": (
        "85d6be7857556d337f4452fe42d506a8",
        "0103808afb0db2fd4abff6af4149f51b",
        b"Cryptographic Forum Research Group".hex(),
        "a8061dc1305136c6c22b8baf0c0127a9",
    ),
    "A.3 1": (NONE, NONE, "00" * 64, NONE),
    "A.3 2": (NONE, "36e5f6b5c5e06070f0efca96227a863e", SUBMISSION.hex(), "36e5f6b5c5e06070f0efca96227a863e"),
    "A.3 3": ("36e5f6b5c5e06070f0efca96227a863e", NONE, SUBMISSION.hex(), "f3477e7cd95417af89a6b8794c310cf0"),
    "A.3 4": (CARROLL[:16].hex(), CARROLL[16:].hex(), BRILLIG.hex(), "4541669a7eaaee61e708dc7cbcc5eb62"),
    "A.3 5": (DOUBLE, NONE, ALL, "03" + "00" * 15),
    "A.3 6": (DOUBLE, ALL, DOUBLE, "03" + "00" * 15),
    "A.3 7": (ONE, NONE, ALL + "f0" + "ff" * 15 + "11" + "00" * 15, "05" + "00" * 15),
    "A.3 8": (ONE, NONE, ALL + "fb" + "fe" * 15 + "01" * 16, NONE),
    "A.3 9": (DOUBLE, NONE, "fd" + "ff" * 15, "fa" + "ff" * 15),
    "A.3 10": (ELEVEN, NONE, STRANGE + ONE, "14000000000000005500000000000000"),
    "A.3 11": (ELEVEN, NONE, STRANGE, "13" + "00" * 15),
}

SEALED = {  # key, nonce, additional data, content, cipher text and tag
    "2.8.2": (
        HIGH,
        "070000004041424344454647",
        "50515253c0c1c2c3c4c5c6c7",
        SUNSCREEN,
        "d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d63dbea45e8ca9671282fafb69da92728b"
        "1a71de0a9e060b2905d6a5b67ecd3b3692ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc"
        "3ff4def08e4b7a9de576d26586cec64b61161ae10b594f09e26a7e902ecbd0600691",
    ),
    "A.5": (
        CARROLL,
        "000000000102030405060708",
        "f33388860000000000004e91",
        DRAFTS,
        "64a0861575861af460f062c79be643bd5e805cfd345cf389f108670ac76c8cb24c6cfc18755d43eea09ee94e382d26b0"
        "bdb7b73c321b0100d4f03b7f355894cf332f830e710b97ce98c8a84abd0b948114ad176e008d33bd60f982b1ff37c855"
        "9797a06ef4f0ef61c186324e2b3506383606907b6a7c02b0f9f6157b53c867e4b9166c767b804d46a59b5216cde7a4e9"
        "9040c5a40433225ee282a1b0a06c523eaf4534d7f83fa1155b0047718cbc546a0d072b04b3564eea1b422273f548271a"
        "0bb2316053fa76991955ebd63159434ecebb4e466dae5a1073a6727627097a1049e617d91d361094fa68f0ff77987130"
        "305beaba2eda04df997b714d6c6f2c29a6ad5cb4022b02709beead9d67890cbb22392336fea1851f38",
    ),
}
